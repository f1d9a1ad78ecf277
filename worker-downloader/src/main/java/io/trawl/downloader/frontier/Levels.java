package io.trawl.downloader.frontier;

/**
 * A set of priorities.
 *
 * @param bits one for each
 */
record Levels(int bits) {
    static final Levels NONE = new Levels(0);

    Levels with(int level) {
        return new Levels(bits | 1 << level);
    }

    Levels without(int level) {
        return new Levels(bits & ~(1 << level));
    }

    boolean has(int level) {
        return (bits >> level & 1) == 1;
    }

    boolean isEmpty() { return bits == 0; }

    /** The largest; -1 if there is none. */
    int highest() {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(bits);
    }

    /** The smallest; only if there is one. */
    int lowest() {
        return Integer.numberOfTrailingZeros(bits);
    }
}
