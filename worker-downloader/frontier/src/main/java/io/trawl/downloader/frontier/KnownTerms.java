package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.CrawlTerms.Terms;
import io.trawl.downloader.frontier.queue.PendingRequest;
import io.trawl.ledger.DepthMode;
import io.trawl.ledger.LedgerRules;
import io.trawl.model.CrawlRun;
import io.trawl.scope.ScopeRefusal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The terms of every run seen so far, read at the last change on the {@code control} topic: within a step they do not
 * change. Belongs to the frontier's thread.
 */
final class KnownTerms {
    private final CrawlTerms crawlTerms;
    private final Map<CrawlRun, Terms> terms = new HashMap<>();

    KnownTerms(CrawlTerms crawlTerms) {
        this.crawlTerms = crawlTerms;
    }

    Terms of(CrawlRun run) {
        return terms.computeIfAbsent(run, crawlTerms::terms);
    }

    /** The same without remembering the run, for read-only callers. */
    Terms look(CrawlRun run) {
        Terms known = terms.get(run);
        return known == null ? crawlTerms.terms(run) : known;
    }

    /** Whether the ledger, which has been looked up, has a response of the URL already. */
    boolean duplicate(PendingRequest p) {
        return LedgerRules.duplicate(p.facts(), of(p.run()).mode().inLedger(p.request().depth()));
    }

    /** The rule that refuses a request, whose scope may have changed since it was admitted. */
    Optional<ScopeRefusal> outOfScope(PendingRequest p) {
        Terms runTerms = of(p.run());
        return runTerms.scope().refusal(p.request(), Math.min(p.request().depth(),
                runTerms.mode() == DepthMode.EXACT ? p.facts().known() : Integer.MAX_VALUE));
    }

    /** Refreshes the terms of one run. */
    Terms renew(CrawlRun run) {
        Terms latest = crawlTerms.terms(run);
        terms.put(run, latest);
        return latest;
    }

    /** Refreshes the terms of these of the known runs; true if any has changed. */
    boolean renewAll(Predicate<CrawlRun> which) {
        boolean changed = false;
        for (CrawlRun run : terms.keySet().stream().filter(which).toList()) {
            Terms before = of(run);
            changed |= !before.equals(renew(run));
        }
        return changed;
    }
}
