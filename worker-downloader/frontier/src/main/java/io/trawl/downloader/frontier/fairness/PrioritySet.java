package io.trawl.downloader.frontier.fairness;

/**
 * A set of priorities.
 *
 * @param bits one bit per priority
 */
public record PrioritySet(int bits) {
    /** No priority. */
    public static final PrioritySet NONE = new PrioritySet(0);

    /** These and one more. */
    public PrioritySet with(int level) {
        return new PrioritySet(bits | 1 << level);
    }

    /** These without one. */
    public PrioritySet without(int level) {
        return new PrioritySet(bits & ~(1 << level));
    }

    /** Whether a priority is among them. */
    public boolean has(int level) {
        return (bits >> level & 1) == 1;
    }

    public boolean isEmpty() { return bits == 0; }

    /** The largest; -1 if there is none. */
    public int highest() {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(bits);
    }

    /** The smallest; only if there is one. */
    public int lowest() {
        return Integer.numberOfTrailingZeros(bits);
    }
}
