package io.trawl.ledger;

import io.trawl.model.CrawlRun;
import java.util.List;

/**
 * The shared set of facts about URLs. Safe for use by many threads. Calls block; when the store is unreachable they throw
 * {@link LedgerUnavailable}, and nothing may be concluded.
 */
public interface Ledger {
    /** What is known about each URL, in the order asked; {@link UrlFacts#NOTHING} where nothing is. Changes nothing. */
    List<UrlFacts> lookUp(CrawlRun run, List<Fingerprint> urls);

    /**
     * Adds facts, one after the other in the order given, each as an entry-wise minimum.
     *
     * @return for each fact what was known just before it, so a URL named twice sees its first fact the second time
     */
    List<UrlFacts> learn(CrawlRun run, List<Fact> facts);

    /** Deletes all that is held of a run. Only for a run that is over: facts that are forgotten make work repeat. */
    void forget(CrawlRun run);

    /** {@link #forget Forgets} a run and all before it of the same crawl, those left out of which it is noted that this was done; and notes that. */
    default void forgetThrough(CrawlRun last) {
        for (int epoch = 1; epoch <= last.epoch(); epoch++) {
            forget(new CrawlRun(last.crawl(), epoch));
        }
    }

    /**
     * Whether it is certain, without asking anybody, that a link at this depth does not become a request ({@link LedgerRules#emits} is false), the
     * depth being that of {@link DepthMode#inLedger}. Never blocks; {@code false} says nothing.
     */
    default boolean surelyKnown(CrawlRun run, Fingerprint url, int depth) {
        return false;
    }

    /** A statement about one URL. */
    record Fact(Fingerprint url, UrlFacts facts) {}
}
