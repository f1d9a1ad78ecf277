package io.trawl.embedded;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Properties;

/** A small properties file that is replaced as a whole, so that a kill while it is written leaves the old one. */
final class Notes {
    private final Path file;

    Notes(Path file) {
        this.file = file;
    }

    Optional<String> get(String name) {
        return Optional.ofNullable(read().getProperty(name));
    }

    void put(String name, String value) {
        Properties all = read();
        all.setProperty(name, value);
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            Files.createDirectories(file.getParent());
            try (Writer out = Files.newBufferedWriter(part, StandardCharsets.UTF_8)) {
                all.store(out, null);
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new DataFolderNotWritable(file.getParent(), e);
        }
    }

    private Properties read() {
        Properties all = new Properties();
        try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            all.load(in);
        } catch (NoSuchFileException e) {
            return all;
        } catch (IOException e) {
            throw new DataFolderNotWritable(file.getParent(), e);
        }
        return all;
    }
}
