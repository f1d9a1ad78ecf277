package io.trawl.charset;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntPredicate;

/**
 * A table of the Encoding standard: a code point for each pointer. Immutable and thread-safe; read from the jar on
 * first use.
 */
final class EncodingIndex {
    private final int[] codePoints;

    private EncodingIndex(int[] codePoints) {
        this.codePoints = codePoints;
    }

    /** The table with a name of the standard. */
    static EncodingIndex of(String name) {
        return Objects.requireNonNull(Tables.ALL.get(name), name);
    }

    /** The code point at a pointer; 0 if there is none. */
    int codePoint(int pointer) {
        return pointer < 0 || pointer >= codePoints.length ? 0 : codePoints[pointer];
    }

    int size() {
        return codePoints.length;
    }

    /** The other direction: the first pointer of each code point. @param usable pointers that encoders use */
    Pointers pointers(IntPredicate usable) {
        long[] pairs = new long[codePoints.length];
        int n = 0;
        for (int pointer = 0; pointer < codePoints.length; pointer++) {
            if (codePoints[pointer] != 0 && usable.test(pointer)) {
                pairs[n++] = (long) codePoints[pointer] << Integer.SIZE | pointer;
            }
        }
        long[] sorted = Arrays.copyOf(pairs, n);
        Arrays.sort(sorted);
        return new Pointers(sorted);
    }

    /** Pointers by code point. */
    static final class Pointers {
        private final long[] sorted;

        private Pointers(long[] sorted) {
            this.sorted = sorted;
        }

        /** The first pointer of a code point, or -1. */
        int of(int codePoint) {
            int at = Arrays.binarySearch(sorted, (long) codePoint << Integer.SIZE);
            int place = at < 0 ? -at - 1 : at;
            return place < sorted.length && sorted[place] >> Integer.SIZE == codePoint ? (int) sorted[place] : -1;
        }
    }

    private static final class Tables {
        private static final Map<String, EncodingIndex> ALL = read();

        private static Map<String, EncodingIndex> read() {
            Map<String, EncodingIndex> tables = new HashMap<>();
            try (InputStream file = EncodingIndex.class.getResourceAsStream("indexes.bin");
                    DataInputStream in = new DataInputStream(
                            new java.io.BufferedInputStream(Objects.requireNonNull(file)))) {
                for (int length = in.read(); length >= 0; length = in.read()) {
                    String name = new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
                    int[] entries = new int[three(in)];
                    for (int i = 0; i < entries.length; i++) {
                        entries[i] = three(in);
                    }
                    tables.put(name, new EncodingIndex(entries));
                }
                return Map.copyOf(tables);
            } catch (IOException e) {
                throw new UncheckedIOException("the tables of encodings are in the jar", e);
            }
        }

        private static int three(DataInputStream in) throws IOException {
            return in.readUnsignedShort() << 8 | in.readUnsignedByte();
        }
    }
}
