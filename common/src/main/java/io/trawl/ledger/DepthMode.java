package io.trawl.ledger;

/**
 * Whether depths are compared. Exact depth is worth its price (a URL found again at a smaller depth is fetched again) only where a small limit binds.
 */
public enum DepthMode {
    /** The set of pages within the limit is that of a breadth-first search, whatever the timing. */
    EXACT,
    /** A URL is fetched once; its depth is that of its discovery. */
    DISCOVERY;

    /** The largest limit at which depth is exact. */
    public static final int LARGEST_EXACT_LIMIT = 10;

    /** @param limit the crawl's depth limit, {@link Integer#MAX_VALUE} for none */
    public static DepthMode forLimit(int limit) {
        return limit <= LARGEST_EXACT_LIMIT ? EXACT : DISCOVERY;
    }

    /** The depth to compare and to write: in discovery every depth counts as 0. */
    public int inLedger(int depth) {
        return this == EXACT ? depth : 0;
    }
}
