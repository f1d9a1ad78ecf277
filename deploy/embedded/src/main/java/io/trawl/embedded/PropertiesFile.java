package io.trawl.embedded;

import static java.util.Objects.requireNonNull;

import io.trawl.embedded.EmbeddedServerException.DataFolderNotWritableException;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;

/**
 * A small properties file of the owner, which is replaced atomically, so that a kill during a write leaves the old
 * content.
 */
final class PropertiesFile {
    private final Path file;
    private final Path folder;

    PropertiesFile(Path file) {
        this.file = file;
        folder = requireNonNull(file.getParent());
    }

    Optional<String> get(String name) {
        return Optional.ofNullable(read().getProperty(name));
    }

    void put(String name, String value) {
        Properties all = read();
        all.setProperty(name, value);
        try {
            Files.createDirectories(folder);
            StringWriter text = new StringWriter();
            all.store(text, null);
            OwnerOnly.write(file, text.toString());
        } catch (IOException e) {
            throw new DataFolderNotWritableException(folder, e);
        }
    }

    private Properties read() {
        Properties all = new Properties();
        try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            all.load(in);
        } catch (NoSuchFileException e) {
            return all;
        } catch (IOException e) {
            throw new DataFolderNotWritableException(folder, e);
        }
        return all;
    }
}
