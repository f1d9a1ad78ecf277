package io.trawl.control;

import io.trawl.control.ControlRecord.Domains;

/**
 * A copy of the accepted domains of runs, for lookups that do not wait for {@code control}. Thread-safe; calls
 * block and throw {@link io.trawl.ledger.LedgerUnavailableException}.
 */
public interface DomainMirror {
    /**
     * Replaces the copy as a whole, unless it is as new or newer. The leader calls this after it has committed the record, and for all known runs
     * when its term begins. Losing the copy does no harm.
     */
    void write(Domains domains);
}
