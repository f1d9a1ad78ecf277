package io.trawl.pipeline.chunk;

import java.util.Arrays;

/**
 * The smallest parts of a text that chunks are made of, in their order, with the boundary before each. A page may have
 * a million of them, so they are no objects. Not thread-safe.
 */
final class Units {
    /** A boundary that only parts what cannot stay together: behind a heading, and behind the head of a table. */
    static final int GLUE = 0;
    /** Between words. */
    static final int WORD = 1;
    /** Between sentences. */
    static final int SENTENCE = 2;
    /** Between lines of code, rows, and items of a list. */
    static final int LINE = 3;
    /** Between blocks. */
    static final int BLOCK = 4;
    private static final int HEADINGS = 11;
    private int[] starts = new int[64];
    private int[] blocks = new int[64];
    private byte[] before = new byte[64];
    /** The tokens of all units before one. */
    private int[] sums = new int[65];
    private int size;

    /** The boundary before a heading of a level, from 1 to 6. */
    static int heading(int level) {
        return HEADINGS - level;
    }

    void add(int start, int block, int boundary, int tokens) {
        if (size == starts.length) {
            int more = size * 2;
            starts = Arrays.copyOf(starts, more);
            blocks = Arrays.copyOf(blocks, more);
            before = Arrays.copyOf(before, more);
            sums = Arrays.copyOf(sums, more + 1);
        }
        starts[size] = start;
        blocks[size] = block;
        before[size] = (byte) boundary;
        sums[size + 1] = sums[size] + tokens;
        size++;
    }

    int size() {
        return size;
    }

    int start(int unit) {
        return starts[unit];
    }

    /** The index of its block. */
    int block(int unit) {
        return blocks[unit];
    }

    /** The kind of the boundary before a unit. */
    int boundary(int unit) {
        return before[unit];
    }

    /** The tokens from a unit to another, both included. */
    int tokens(int first, int last) {
        return sums[last + 1] - sums[first];
    }

    /** Whether a unit is the first one of its block. */
    boolean begins(int unit) {
        return unit == 0 || blocks[unit - 1] != blocks[unit];
    }

    /** Whether a unit is the last one of its block. */
    boolean ends(int unit) {
        return unit == size - 1 || blocks[unit + 1] != blocks[unit];
    }
}
