package io.trawl.downloader.frontier.queue;

/**
 * A set of priorities.
 *
 * @param bits one bit per priority
 */
record PrioritySet(int bits) {
    static final PrioritySet NONE = new PrioritySet(0);

    PrioritySet with(int level) {
        return new PrioritySet(bits | 1 << level);
    }

    PrioritySet without(int level) {
        return new PrioritySet(bits & ~(1 << level));
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
