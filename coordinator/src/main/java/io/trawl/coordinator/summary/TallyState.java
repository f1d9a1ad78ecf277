package io.trawl.coordinator.summary;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.trawl.coordinator.summary.Activity.Work;
import io.trawl.coordinator.summary.Traffic.LevelCounts;
import io.trawl.ledger.ItemCounts;
import io.trawl.ledger.LedgerRecord.StraySeed;
import io.trawl.ledger.RenderCounts;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request.RequestId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All that a {@link Tally} knows, apart from the ids that wait, which follow in the bytes of a snapshot in the order of
 * the runs.
 *
 * @param runs the present run of each crawl in each partition
 * @param newest the newest run of each crawl in each partition, also of a run that has nothing
 * @param pastLevels the traffic of former runs, by priority
 * @param pastRefusals the refusals of former runs
 * @param recent the work of all runs, by steps
 * @param minutes the work of all runs, by long steps
 * @param days the pages of each crawl on its last day
 */
record TallyState(List<RunState> runs, List<NewestRun> newest, Map<Integer, LevelCounts> pastLevels,
        Map<RefusalReason, Long> pastRefusals, Map<Long, Work> recent, Map<Long, Work> minutes, List<DayPages> days) {
    /** The newest run in a partition of the ledger. */
    record NewestRun(int partition, CrawlRun run) {}

    /**
     * The pages of all runs of a crawl on the last day in UTC of which there are any.
     *
     * @param day since 1970
     */
    record DayPages(CrawlId crawl, long day, long pages) {
        DayPages plus(DayPages more) {
            return more.day > day ? more : more.day < day ? this : new DayPages(crawl, day, pages + more.pages);
        }
    }

    /** What {@link RunTally} knows, with the partition of its records. */
    @RecordBuilder
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record RunState(int partition, CrawlRun run, Map<OutcomeKind, Long> stored, Map<String, Long> errors,
            Map<RefusalReason, Long> refusals, Map<String, Long> rules, List<StraySeed> straySeeds,
            Map<Long, Work> recent, Map<Long, Work> minutes, Instant last, long emitted, long repeats, long duplicates,
            long sources, long requisites, long notModified, long unavailable, long bytes,
            Map<RequestId, Integer> lastOrders, Map<Integer, Long> movedByOrder, Set<String> domains,
            long domainsVersion, ItemCounts items, Optional<RenderCounts> render) {
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
}
