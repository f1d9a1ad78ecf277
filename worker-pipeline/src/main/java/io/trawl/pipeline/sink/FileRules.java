package io.trawl.pipeline.sink;

import io.trawl.model.CrawlRun;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The rules for closing segments.
 *
 * @param fileSize in bytes
 * @param fileIdle the time without a new line after which a file is closed, unless the partition's last one was closed
 * less than {@code fileAge} ago: a slow crawl would have a file per item
 * @param fileAge the longest time from the first line to the closing
 * @param backlog the items that may wait before analyzers hold, which may change: the open segments of all partitions
 * take a quarter of it at most
 * @param backlogBytes the same in bytes; 0, as above: no limit
 * @param nonce of this process: {@code a-z 0-9}, unique among processes
 * @param replaced whether a newer run has taken a run's place
 */
public record FileRules(long fileSize, Duration fileIdle, Duration fileAge, LongSupplier backlog,
        LongSupplier backlogBytes, String nonce, Predicate<CrawlRun> replaced) {
    /** The part of the limits of the backlog that open segments may take. */
    private static final int OPEN_PART = 4;

    /** The part of a limit that one of all partitions may have in an open segment. */
    static long share(long limit, int partitions) {
        return limit == 0 ? Long.MAX_VALUE : Math.max(1, limit / (OPEN_PART * partitions));
    }
}
