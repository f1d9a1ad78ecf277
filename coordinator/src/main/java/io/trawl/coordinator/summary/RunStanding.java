package io.trawl.coordinator.summary;

import io.trawl.ledger.LedgerRecord.StraySeed;
import io.trawl.model.RefusalReason;
import java.util.List;
import java.util.Map;

/**
 * Where a run stood at one moment: all its parts belong to the same prefix of the ledger.
 *
 * @param totals how its requests were answered
 * @param waitingByPriority the requests that are not answered, by priority; priorities without any are left out
 * @param errorsByKind stored errors, by outcome and detail: {@code HTTP_ERROR 404}, {@code FAILURE TIMEOUT}
 * @param refusals refused candidates, and requests that were answered REFUSED, by reason
 * @param straySeeds seeds that were redirected out of the accepted domains
 */
public record RunStanding(Totals totals, Map<Integer, Long> waitingByPriority, Map<String, Long> errorsByKind,
        Map<RefusalReason, Long> refusals, List<StraySeed> straySeeds) {
    /** Nothing has happened. */
    public static final RunStanding NONE = new RunStanding(Totals.NONE, Map.of(), Map.of(), Map.of(), List.of());

    /** Whether every request that was ever emitted is answered. */
    public boolean nothingWaits() {
        return totals.waiting() == 0;
    }
}
