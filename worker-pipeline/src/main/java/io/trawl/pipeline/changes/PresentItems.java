package io.trawl.pipeline.changes;

import io.trawl.pipeline.changes.KeyLine.KeyState;
import io.trawl.pipeline.changes.LineSorter.SortedLines;
import io.trawl.pipeline.read.ComparedFiles;
import io.trawl.pipeline.read.ComparedFiles.LineListener;
import io.trawl.pipeline.read.StoredContent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The items of the keys of a run, each as it was stored last: the files that hold them, read twice. In between, two
 * external sorts join places with keys, and put the places in order, so that memory does not grow with the number of
 * items. Not thread-safe.
 */
public final class PresentItems implements AutoCloseable {
    private static final int MEMORY = 8 << 20;
    private static final String SEPARATOR = "\t";
    private final List<Path> files;
    /** Of the items, as the numbers of their lines in all files. */
    private final LineSorter places;
    private long items;
    private long missing;

    /**
     * @param files of the runs that hold the items, the oldest first: {@link ComparedFiles}
     * @param temporary does not exist yet
     */
    public PresentItems(List<Path> files, Path temporary) throws IOException {
        this.files = List.copyOf(files);
        this.places = new LineSorter(temporary, MEMORY);
    }

    /**
     * Finds the items. Called once.
     *
     * @param keys of the run, sorted
     * @param temporary does not exist yet
     * @throws IllegalArgumentException if a line is no line of keys
     */
    public void find(SortedLines keys, Path temporary) throws IOException {
        try (LineSorter stored = new LineSorter(temporary, MEMORY)) {
            read((place, line) -> {
                Optional<StoredContent> item = StoredContent.of(line).filter(known -> KeyLine.valid(known.key()));
                if (item.isPresent()) {
                    String id = item.get().id().isEmpty() ? KeyLine.NONE : item.get().id();
                    // Of several with one id, which were stored again, the last one comes first.
                    stored.add(start(item.get().key(), id) + HexFormat.of().toHexDigits(Long.MAX_VALUE - place));
                }
            });
            join(new KeyReader(keys), stored.sorted());
        }
    }

    private static String start(String key, String id) {
        return key + SEPARATOR + id + SEPARATOR;
    }

    private void join(KeyReader keys, SortedLines stored) throws IOException {
        Optional<String> next = stored.next();
        for (Optional<KeyLine> key = keys.head(); key.isPresent(); key = keys.head()) {
            if (key.get().state() == KeyState.STORED) {
                String start = start(key.get().key(), key.get().id());
                while (next.filter(line -> line.compareTo(start) < 0).isPresent()) {
                    next = stored.next();
                }
                add(next.filter(line -> line.startsWith(start)).map(line -> line.substring(start.length())));
                keys.take(key.get().key());
            } else {
                keys.advance();
            }
        }
    }

    private void add(Optional<String> lastFirst) throws IOException {
        if (lastFirst.isPresent()) {
            places.add(HexFormat.of().toHexDigits(Long.MAX_VALUE - HexFormat.fromHexDigitsToLong(lastFirst.get())));
            items++;
        } else {
            missing++;
        }
    }

    /** How many it has found. */
    public long items() {
        return items;
    }

    /** How many are in none of the files. */
    public long missing() {
        return missing;
    }

    /** Reads those that it has found, in the order of the files and of their lines. May be called again. */
    public void copy(LineListener to) throws IOException {
        read(new Chosen(places.sorted(), to));
    }

    private void read(PlaceListener to) throws IOException {
        Numbering numbering = new Numbering(to);
        for (Path file : files) {
            ComparedFiles.read(file, numbering);
        }
    }

    @Override
    public void close() throws IOException {
        places.close();
    }

    /** Takes the lines of all files with their numbers, from 0. */
    @FunctionalInterface
    private interface PlaceListener {
        void take(long place, byte[] line) throws IOException;
    }

    private static final class Numbering implements LineListener {
        private final PlaceListener to;
        private long next;

        Numbering(PlaceListener to) {
            this.to = to;
        }

        @Override
        public void take(byte[] line) throws IOException {
            to.take(next++, line);
        }
    }

    /** Passes on the lines that are to be copied. */
    private static final class Chosen implements PlaceListener {
        private final SortedLines places;
        private final LineListener to;
        private Optional<String> next;

        Chosen(SortedLines places, LineListener to) throws IOException {
            this.places = places;
            this.to = to;
            this.next = places.next();
        }

        @Override
        public void take(long place, byte[] line) throws IOException {
            if (next.filter(chosen -> HexFormat.fromHexDigitsToLong(chosen) == place).isPresent()) {
                to.take(line);
                next = places.next();
            }
        }
    }
}
