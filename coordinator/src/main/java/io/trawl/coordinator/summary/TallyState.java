package io.trawl.coordinator.summary;

import io.trawl.coordinator.summary.Activity.Work;
import io.trawl.coordinator.summary.Traffic.LevelCounts;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.RefusalReason;
import java.util.List;
import java.util.Map;

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
}
