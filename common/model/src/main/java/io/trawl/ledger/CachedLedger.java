package io.trawl.ledger;

import io.trawl.model.CrawlRun;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A ledger with a cache of the smallest known depth per URL in this process, so that links repeated on every page of a
 * site need no call.
 *
 * <p>
 * The cache holds depths that the ledger has returned, or that the caller stated and the ledger has stored: statements
 * about committed records in Kafka. A depth that was only emitted, in a transaction that may still abort, is never
 * cached, because the ledger learns it only after the commit. All facts are running minima, so a cached depth may be
 * larger than the true one, when other processes have learned since, but never smaller. If Redis loses facts, the cache
 * knows more than Redis but is still correct: the request is in Kafka, so that leaving the link out loses nothing.
 *
 * <p>
 * {@link #lookUp} and {@link #learn} always call the ledger, because their callers also compare offsets. Thread-safe.
 */
public final class CachedLedger implements Ledger {
    private final Ledger ledger;
    private final BooleanSupplier valid;
    private final DepthCache depths;

    /**
     * @param entries the minimum number of cached URLs; each set evicts its least recently used entry
     * @param valid whether the records that the cache is about are surely those of the present topics; else it says
     * nothing
     */
    public CachedLedger(Ledger ledger, int entries, BooleanSupplier valid) {
        this.ledger = ledger;
        this.valid = valid;
        this.depths = new DepthCache(entries);
    }

    @Override
    public List<UrlFacts> lookUp(CrawlRun run, List<Fingerprint> urls) {
        List<UrlFacts> known = ledger.lookUp(run, urls);
        long salt = depths.salt(run);
        for (int i = 0; i < urls.size(); i++) {
            remember(salt, urls.get(i), known.get(i));
        }
        return known;
    }

    @Override
    public List<UrlFacts> learn(CrawlRun run, List<Fact> facts) {
        List<Fact> stated = new ArrayList<>(facts);
        List<UrlFacts> before = ledger.learn(run, stated);
        long salt = depths.salt(run);
        for (int i = 0; i < stated.size(); i++) {
            remember(salt, stated.get(i).request(), before.get(i).and(stated.get(i).facts()));
        }
        return before;
    }

    private void remember(long salt, Fingerprint url, UrlFacts facts) {
        int depth = Math.min(facts.known(), facts.doneDepth());
        if (depth < UrlFacts.NO_DEPTH) {
            depths.lower(salt, url, depth);
        }
    }

    @Override
    public boolean surelyKnown(CrawlRun run, Fingerprint url, int depth) {
        return valid.getAsBoolean() && depths.smallest(depths.salt(run), url) <= depth;
    }

    /** Deletes all facts of a run, and clears the cache of all runs: lookups fill it again. */
    @Override
    public void forget(CrawlRun run) {
        ledger.forget(run);
        depths.clear();
    }

    @Override
    public void continueRun(CrawlRun from, CrawlRun to, Collection<Fingerprint> without) {
        ledger.continueRun(from, to, without);
        depths.clear();
    }

    @Override
    public void forgetThrough(CrawlRun last) {
        ledger.forgetThrough(last);
    }
}
