package io.trawl.bench.fleet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary folder; closing deletes it with all that is in it. */
public record RunFolder(Path path) implements AutoCloseable {
    /** Creates one. */
    public RunFolder() {
        this(create());
    }

    private static Path create() {
        try {
            return Files.createTempDirectory("trawl-bench-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(path)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            System.err.println("cannot delete " + path + " (" + e.getMessage() + ")");
        }
    }
}
