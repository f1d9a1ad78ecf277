package io.trawl.standalone.crawl;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/** Lines that a user reads once for each folder of {@code --data}, whose crawls have a folder each in it. */
public final class ShownOnce {
    private static final String FILE = "shown";
    private static final Path CRAWLS = Path.of("crawls");

    private ShownOnce() {}

    /**
     * Whether the line is new in the folder that this data folder of a crawl, or of a fleet, belongs to; notes that it
     * is not from now on.
     */
    public static boolean isNew(Path data, String line) {
        Path parent = data.getParent();
        Path file = parent != null && parent.endsWith(CRAWLS) ? parent.resolveSibling(FILE) : data.resolve(FILE);
        try {
            Set<String> shown = new TreeSet<>(Files.exists(file) ? Files.readAllLines(file) : Set.of());
            boolean added = shown.add(line);
            if (added) {
                Files.write(file, shown);
            }
            return added;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
