package io.trawl.downloader.replay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A WARC file, or a folder with some. */
public final class ArchiveFolder {
    private static final String NAME = ".*\\.warc(\\.gz)?";

    private ArchiveFolder() {}

    /**
     * The finished files, also those in folders of the folder, in the order of their paths; a file itself, whatever its
     * name.
     */
    public static List<Path> files(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            return List.of(path);
        }
        try (Stream<Path> inside = Files.walk(path)) {
            return inside.filter(file -> file.getFileName().toString().matches(NAME)).sorted().toList();
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
