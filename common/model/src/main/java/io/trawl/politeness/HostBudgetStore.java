package io.trawl.politeness;

import io.trawl.definition.CrawlDefinition.HostLimits;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.Request.RequestId;
import io.trawl.scope.PagesRule;
import java.util.Optional;

/**
 * What the runs have used of the budgets of hosts and patterns. A use is written before the fetch, so that no process
 * that takes a host over exceeds its budget, as long as the store keeps its data. Every call may be repeated.
 * Thread-safe; calls block and throw {@link io.trawl.ledger.LedgerUnavailableException}.
 */
public interface HostBudgetStore {
    /** Whether a request is within the budget of its host, and if not, which part of that is used up. */
    enum BudgetVerdict {
        /** The request may be fetched, and counts. */
        GRANTED,
        /** The number of URLs is used up. */
        URLS,
        /** The number of failures is used up. */
        ERRORS,
        /** The time since the first fetch is used up. */
        TIME,
        /** The budget of the pattern is used up. */
        PATTERN
    }

    /**
     * Counts a request, if it is within the budget of its host, and within that of a pattern, which all hosts share.
     * The request of the host that was counted last is granted again.
     */
    BudgetVerdict take(CrawlRun run, HostKey host, RequestId request, HostLimits limits, Optional<PagesRule> pattern);

    /** The fetch of a request has failed for good. */
    void failed(CrawlRun run, HostKey host, RequestId request);
}
