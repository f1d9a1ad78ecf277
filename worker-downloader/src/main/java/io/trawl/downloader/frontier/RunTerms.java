package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.Crawls.Terms;
import io.trawl.model.CrawlRun;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The terms of every run that was met, as they were when the commands changed last: within a step they do not change. Belongs to the frontier's thread. */
final class RunTerms {
    private final Crawls crawls;
    private final Map<CrawlRun, Terms> terms = new HashMap<>();

    RunTerms(Crawls crawls) {
        this.crawls = crawls;
    }

    Terms of(CrawlRun run) {
        return terms.computeIfAbsent(run, crawls::terms);
    }

    /** The same, and nothing is remembered of it: for who only looks. */
    Terms look(CrawlRun run) {
        Terms known = terms.get(run);
        return known == null ? crawls.terms(run) : known;
    }

    /** Asks anew about one run. */
    Terms renew(CrawlRun run) {
        Terms latest = crawls.terms(run);
        terms.put(run, latest);
        return latest;
    }

    /** Asks anew about all; true if any has changed. */
    boolean renewAll() {
        boolean changed = false;
        for (CrawlRun run : List.copyOf(terms.keySet())) {
            Terms before = of(run);
            changed |= !before.equals(renew(run));
        }
        return changed;
    }
}
