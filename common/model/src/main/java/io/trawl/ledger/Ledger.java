package io.trawl.ledger;

import io.trawl.model.CrawlRun;
import java.util.Collection;
import java.util.List;

/**
 * The shared set of facts about URLs. Safe for use by many threads. Calls block; when the store is unreachable they
 * throw {@link LedgerUnavailableException}, and the caller must not draw conclusions.
 */
public interface Ledger {
    /**
     * The facts about each URL, in the order of the list; {@link UrlFacts#NOTHING} where none are known. Changes
     * nothing.
     */
    List<UrlFacts> lookUp(CrawlRun run, List<Fingerprint> urls);

    /**
     * Adds facts, one after the other in the order given, each as an entry-wise minimum.
     *
     * @return for each fact the facts known just before it, so a URL listed twice sees its first fact the second time
     */
    List<UrlFacts> learn(CrawlRun run, List<Fact> facts);

    /** Deletes all facts of a run. Only for a run that is over: deleted facts make work repeat. */
    void forget(CrawlRun run);

    /**
     * {@link #forget Forgets} a run and all earlier runs of its crawl, except those recorded as forgotten; then records
     * this.
     */
    default void forgetThrough(CrawlRun last) {
        for (int epoch = 1; epoch <= last.epoch(); epoch++) {
            forget(new CrawlRun(last.crawl(), epoch));
        }
    }

    /**
     * Whether it is certain, without a remote call, that a link at this depth does not become a request
     * ({@link LedgerRules#nearer} is false), with the depth of {@link DepthMode#inLedger}. Never blocks; {@code false}
     * means unknown.
     */
    default boolean surelyKnown(CrawlRun run, Fingerprint url, int depth) {
        return false;
    }

    /**
     * Gives a run that has not begun the facts of another run of the same deployment, except those about some URLs.
     * What it had before is forgotten. Only coordinators call it.
     *
     * @throws IllegalStateException if a call for the same run has named a later run
     */
    void continueRun(CrawlRun from, CrawlRun to, Collection<Fingerprint> without);

    /** A statement about one request. */
    record Fact(Fingerprint request, UrlFacts facts) {}
}
