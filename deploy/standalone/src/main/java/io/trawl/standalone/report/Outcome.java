package io.trawl.standalone.report;

import io.trawl.coordinator.api.CrawlSummary;
import java.nio.file.Path;
import java.time.Duration;

/**
 * How far a crawl has come when a run of the command ends.
 *
 * @param summary of the crawl
 * @param pagesHere how many pages this run added
 * @param here how long this run took
 * @param begunBefore whether an earlier run began the crawl
 * @param overBefore whether it had ended before this run, which changed nothing
 * @param items where the pages are
 * @param errors where the errors are
 */
public record Outcome(CrawlSummary summary, long pagesHere, Duration here, boolean begunBefore, boolean overBefore, Path items,
        Path errors) {
    /** How long the crawl took, in this run if others went before. */
    Duration duration() {
        return begunBefore && !overBefore ? here : summary.elapsed();
    }

    /** Pages per second in that time. */
    double pagesPerSecond() {
        long pages = begunBefore && !overBefore ? pagesHere : summary.totals().pages();
        double seconds = duration().toNanos() / 1e9;
        return seconds <= 0 ? 0 : pages / seconds;
    }
}
