package io.trawl.coordinator.summary;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.trawl.coordinator.summary.Activity.Work;
import io.trawl.ledger.ItemCounts;
import io.trawl.ledger.LedgerRecord.StraySeed;
import io.trawl.ledger.RenderCounts;
import io.trawl.model.CrawlRun;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request.RequestId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What {@link RunTally} knows, with the partition of its records. */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_EMPTY)
record RunState(int partition, CrawlRun run, Map<OutcomeKind, Long> stored, Map<String, Long> errors,
        Map<RefusalReason, Long> refusals, Map<String, Long> rules, List<StraySeed> straySeeds, Map<Long, Work> recent,
        Map<Long, Work> minutes, Instant last, long emitted, long repeats, long duplicates, long sources,
        long requisites, long notModified, long bytes, Map<RequestId, Integer> lastOrders,
        Map<Integer, Long> movedByOrder, Set<String> domains, long domainsVersion, ItemCounts items,
        Optional<RenderCounts> render) {
    /** Absent collections are empty. */
    @SuppressWarnings("ConstantValue")
    RunState {
        stored = stored == null ? Map.of() : Map.copyOf(stored);
        errors = errors == null ? Map.of() : Map.copyOf(errors);
        refusals = refusals == null ? Map.of() : Map.copyOf(refusals);
        rules = rules == null ? Map.of() : Map.copyOf(rules);
        straySeeds = straySeeds == null ? List.of() : List.copyOf(straySeeds);
        recent = recent == null ? Map.of() : Map.copyOf(recent);
        minutes = minutes == null ? Map.of() : Map.copyOf(minutes);
        lastOrders = lastOrders == null ? Map.of() : Map.copyOf(lastOrders);
        movedByOrder = movedByOrder == null ? Map.of() : Map.copyOf(movedByOrder);
        domains = domains == null ? Set.of() : Set.copyOf(domains);
    }
}
