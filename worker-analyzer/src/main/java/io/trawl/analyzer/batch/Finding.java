package io.trawl.analyzer.batch;

import io.trawl.ledger.LedgerRecord.Answered;
import io.trawl.model.Item;
import io.trawl.model.OutcomeKind;
import io.trawl.model.RefusalReason;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one response leads to, before anything is asked about the URLs it names.
 *
 * @param answered its entry in the ledger record
 * @param item what is stored
 * @param found what it refers to and may be followed
 * @param refused references that are not followed, by reason
 * @param errors of parsers that did not spoil the page, for people
 */
record Finding(Answered answered, Optional<Item> item, List<Found> found, Map<RefusalReason, Integer> refused,
        List<String> errors) {
    /** An answer that leads nowhere. */
    static Finding end(Judged judged, OutcomeKind kind, String detail, Optional<Item> item) {
        return new Finding(answered(judged, kind, detail), item, List.of(), Map.of(), List.of());
    }

    static Answered answered(Judged judged, OutcomeKind kind, String detail) {
        return new Answered(judged.request().id(), kind, detail, judged.stores());
    }
}
