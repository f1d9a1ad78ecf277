package io.trawl.coordinator.summary;

import io.trawl.ledger.LedgerRecord.StraySeed;
import io.trawl.model.RefusalReason;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The sums of a run at one moment: all parts belong to the same prefix of the ledger.
 *
 * @param totals how its requests were answered
 * @param waitingByPriority the requests without an answer, by priority; priorities without any are left out
 * @param errorsByKind stored errors, by outcome and detail: {@code HTTP_ERROR 404}, {@code FAILURE TIMEOUT}; and errors
 * of parsers and item processors that are no outcome of a request: {@code PARSE}, {@code PROCESSOR}
 * @param refusals refused candidates, and requests that were answered REFUSED, by reason
 * @param refusalsByRule those among them that a rule of the definition refused, by its text
 * @param straySeeds seeds that were redirected out of the accepted domains
 * @param droppedItems items that were dropped, by processor and reason
 * @param rejectedItems items that could not be stored, by processor and kind of failure
 * @param last the time of the last record
 */
public record RunSnapshot(Totals totals, Map<Integer, Long> waitingByPriority, Map<String, Long> errorsByKind,
        Map<RefusalReason, Long> refusals, Map<String, Long> refusalsByRule, List<StraySeed> straySeeds,
        Map<String, Long> droppedItems, Map<String, Long> rejectedItems, Instant last) {
    /** The snapshot of an empty ledger. */
    public static final RunSnapshot NONE = new RunSnapshot(Totals.NONE, Map.of(), Map.of(), Map.of(), Map.of(),
            List.of(), Map.of(), Map.of(), Instant.EPOCH);

    /** Whether every emitted request is answered; its item may still wait. */
    public boolean nothingWaits() {
        return totals.waiting() == 0;
    }
}
