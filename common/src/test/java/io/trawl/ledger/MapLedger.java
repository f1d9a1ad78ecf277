package io.trawl.ledger;

import io.trawl.model.CrawlRun;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The reference model of a ledger: a map of minima. Tests compare real ledgers with it. */
public final class MapLedger implements Ledger {
    private final Map<CrawlRun, Map<Fingerprint, UrlFacts>> runs = new HashMap<>();

    @Override
    public synchronized List<UrlFacts> lookUp(CrawlRun run, List<Fingerprint> urls) {
        return urls.stream().map(url -> facts(run).getOrDefault(url, UrlFacts.NOTHING)).toList();
    }

    @Override
    public synchronized List<UrlFacts> learn(CrawlRun run, List<Fact> facts) {
        return facts.stream().map(fact -> {
            UrlFacts before = facts(run).getOrDefault(fact.request(), UrlFacts.NOTHING);
            facts(run).put(fact.request(), before.and(fact.facts()));
            return before;
        }).toList();
    }

    @Override
    public synchronized void continueRun(CrawlRun from, CrawlRun to, Collection<Fingerprint> without) {
        Map<Fingerprint, UrlFacts> copy = new HashMap<>(facts(from));
        copy.keySet().removeAll(without);
        runs.put(to, copy);
    }

    private Map<Fingerprint, UrlFacts> facts(CrawlRun run) {
        return runs.computeIfAbsent(run, r -> new HashMap<>());
    }

    @Override
    public synchronized void forget(CrawlRun run) {
        runs.remove(run);
    }
}
