package io.trawl.ledger;

/**
 * The four decisions of the protocol (docs/protocol.md), as pure functions of the facts known <em>before</em> the
 * response's own fact was learned. Depths are those of {@link DepthMode#inLedger}.
 */
public final class LedgerRules {
    private LedgerRules() {}

    /**
     * Whether the items of a response at this offset are stored: no earlier response of the URL is known. A retry finds
     * its own offset.
     */
    public static boolean stores(UrlFacts before, long offset) {
        return before.first() >= offset;
    }

    /** Whether the links of a response are followed: no earlier response at this depth or less is known. */
    public static boolean follows(UrlFacts before, int depth, long offset) {
        return before.doneDepth() > depth || before.doneOffset() >= offset;
    }

    /** Whether nothing at this depth or less is known. */
    public static boolean nearer(UrlFacts known, int depth) {
        return Math.min(known.known(), known.doneDepth()) > depth;
    }

    /**
     * Whether a request at this depth is answered DUPLICATE without a fetch: a response at that depth or less is
     * already in Kafka.
     */
    public static boolean duplicate(UrlFacts known, int depth) {
        return known.doneDepth() <= depth;
    }
}
