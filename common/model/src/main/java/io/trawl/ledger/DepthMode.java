package io.trawl.ledger;

/**
 * Whether depths are compared. Exact depth has a cost (a URL found again at a smaller depth is fetched again) that pays
 * off only with a small limit.
 */
public enum DepthMode {
    /** The set of pages within the limit is that of a breadth-first search, independent of timing. */
    EXACT,
    /** A URL is fetched once; its depth is that of its discovery. */
    DISCOVERY,
    /**
     * A refresh of an exact run: a page keeps the depth that the run before has known. A shorter way to it counts from
     * the next refresh on, since a request would fetch the page without its entry.
     */
    CARRIED;

    /** The largest limit at which depth is exact. */
    public static final int LARGEST_EXACT_LIMIT = 10;

    /** @param limit the crawl's depth limit, {@link Integer#MAX_VALUE} for none */
    public static DepthMode forLimit(int limit) {
        return limit <= LARGEST_EXACT_LIMIT ? EXACT : DISCOVERY;
    }

    /**
     * The depth to compare and to write: in discovery every depth counts as 0. A depth that the ledger cannot hold is
     * beyond every limit at which depths are compared, so it counts as the largest.
     */
    public int inLedger(int depth) {
        return this == DISCOVERY ? 0 : Math.min(depth, UrlFacts.NO_DEPTH - 1);
    }

    /** That of a run that refreshes one of this mode. */
    public DepthMode refreshed() {
        return this == EXACT ? CARRIED : this;
    }

    /** Whether a link or seed at this depth becomes a request. @param depth in the ledger */
    public boolean emits(UrlFacts known, int depth) {
        return LedgerRules.nearer(known, this == CARRIED ? UrlFacts.NO_DEPTH - 1 : depth);
    }
}
