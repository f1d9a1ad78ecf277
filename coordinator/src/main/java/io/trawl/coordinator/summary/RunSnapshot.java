package io.trawl.coordinator.summary;

import io.trawl.ledger.LedgerRecord.StraySeed;
import io.trawl.model.RefusalReason;
import java.util.List;
import java.util.Map;

/**
 * The sums of a run at one moment: all parts belong to the same prefix of the ledger.
 *
 * @param totals how its requests were answered
 * @param waitingByPriority the requests without an answer, by priority; priorities without any are left out
 * @param errorsByKind stored errors, by outcome and detail: {@code HTTP_ERROR 404}, {@code FAILURE TIMEOUT}
 * @param refusals refused candidates, and requests that were answered REFUSED, by reason
 * @param straySeeds seeds that were redirected out of the accepted domains
 */
public record RunSnapshot(Totals totals, Map<Integer, Long> waitingByPriority, Map<String, Long> errorsByKind,
        Map<RefusalReason, Long> refusals, List<StraySeed> straySeeds) {
    /** The snapshot of an empty ledger. */
    public static final RunSnapshot NONE = new RunSnapshot(Totals.NONE, Map.of(), Map.of(), Map.of(), List.of());

    /** Whether every emitted request is answered. */
    public boolean nothingWaits() {
        return totals.waiting() == 0;
    }
}
