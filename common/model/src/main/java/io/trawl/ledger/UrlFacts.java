package io.trawl.ledger;

/**
 * The facts about one URL of a run. An unknown depth is {@link #NO_DEPTH}, an unknown offset {@link #NO_OFFSET}; both
 * are larger than every real one, so that "smaller" needs no special case.
 *
 * @param known the smallest depth of a committed request
 * @param first the smallest offset of a response other than DUPLICATE
 * @param doneDepth the smallest depth of such a response
 * @param doneOffset the smallest offset of a response at {@code doneDepth}
 */
public record UrlFacts(int known, long first, int doneDepth, long doneOffset) {
    /** Larger than every depth that the ledger compares (0 to 254). */
    public static final int NO_DEPTH = 255;
    /** Larger than every offset: offsets have 40 bits in the ledger. */
    public static final long NO_OFFSET = (1L << 40) - 1;
    /** Nothing is known. */
    public static final UrlFacts NOTHING = new UrlFacts(NO_DEPTH, NO_OFFSET, NO_DEPTH, NO_OFFSET);

    /** The fact that a request at this depth is committed. */
    public static UrlFacts requested(int depth) {
        return new UrlFacts(depth, NO_OFFSET, NO_DEPTH, NO_OFFSET);
    }

    /** The fact that a response at this depth was written at this offset. */
    public static UrlFacts responded(int depth, long offset) {
        return new UrlFacts(NO_DEPTH, offset, depth, offset);
    }

    /** Combines both facts: the entry-wise minimum, {@code done} compared as a pair. */
    public UrlFacts and(UrlFacts other) {
        boolean mine = doneDepth < other.doneDepth || (doneDepth == other.doneDepth && doneOffset <= other.doneOffset);
        return new UrlFacts(Math.min(known, other.known), Math.min(first, other.first),
                mine ? doneDepth : other.doneDepth, mine ? doneOffset : other.doneOffset);
    }
}
