package io.trawl.control;

import io.trawl.control.ControlRecord.Domains;

/**
 * Where the accepted domains of runs are written a second time, so that they can be asked for without waiting for {@code control}. Thread-safe; calls
 * block and throw {@link io.trawl.ledger.LedgerUnavailable}.
 */
public interface DomainsMirror {
    /**
     * Replaces what is there, as a whole, unless it is as new or newer. Called by the leader after the record is committed, and for all known runs
     * when it begins to lead. Losing what was written does no harm.
     */
    void write(Domains domains);
}
