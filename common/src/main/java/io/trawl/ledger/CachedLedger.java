package io.trawl.ledger;

import io.trawl.model.CrawlRun;
import java.util.ArrayList;
import java.util.List;

/**
 * A ledger that remembers, in this process, the smallest depth it has seen per URL, so that the links which every page of a site repeats need no call.
 *
 * <p>What is remembered is what the ledger has said, or what the caller stated and the ledger has taken: statements about records that are in Kafka for
 * good. Something that was only emitted, in a transaction that may still abort, is never remembered, because it is learnt only after the commit. All
 * facts are running minima, so a remembered depth may be larger than the true one, when others have learnt since, but never smaller. And if Redis loses
 * facts, what is remembered here is more than Redis knows, yet still true: the request is in Kafka, so that leaving the link out loses nothing.
 *
 * <p>{@link #lookUp} and {@link #learn} always ask, because their callers also compare offsets. Thread-safe.
 */
public final class CachedLedger implements Ledger {
    private final Ledger ledger;
    private final DepthCache depths;

    /** @param entries how many URLs are remembered at least; the least recently used of a neighbourhood make room */
    public CachedLedger(Ledger ledger, int entries) {
        this.ledger = ledger;
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
            remember(salt, stated.get(i).url(), before.get(i).and(stated.get(i).facts()));
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
        return depths.smallest(depths.salt(run), url) <= depth;
    }

    /** Deletes all facts of a run, and here those of all runs: they come back when they are asked for. */
    @Override
    public void forget(CrawlRun run) {
        ledger.forget(run);
        depths.clear();
    }

    @Override
    public void forgetThrough(CrawlRun last) {
        ledger.forgetThrough(last);
    }
}
