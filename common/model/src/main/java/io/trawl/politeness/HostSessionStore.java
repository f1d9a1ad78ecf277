package io.trawl.politeness;

import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;

/**
 * The sessions of runs at hosts, which the next owner of a host goes on with. They are deleted with the facts of the
 * run. Every call may be repeated. Thread-safe; calls block and throw
 * {@link io.trawl.ledger.LedgerUnavailableException}.
 */
public interface HostSessionStore {
    /** The session that was kept last; {@link KeptSession#NEW} if there is none. */
    KeptSession find(CrawlRun run, HostKey host);

    /**
     * Keeps a session, unless one with the same or a larger number is kept.
     *
     * @return 0 if it is kept; else the number of the one that is
     */
    long keep(CrawlRun run, HostKey host, KeptSession session);
}
