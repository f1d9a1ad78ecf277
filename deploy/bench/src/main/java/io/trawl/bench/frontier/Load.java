package io.trawl.bench.frontier;

import io.trawl.downloader.frontier.Lane;
import io.trawl.time.Time;
import java.time.Duration;

/**
 * What it costs to put a whole log into the frontier.
 *
 * @param requests how many there are
 * @param took time to deliver all of them, in batches
 * @param heap bytes by which the live heap has grown
 */
public record Load(long requests, Duration took, long heap) {
    private static final int BATCH = 500;

    /** Delivers everything and measures it. */
    static Load all(FrontierDriver driver, RequestLog log, Time time) {
        long before = liveHeap();
        long begun = time.nanos();
        long requests = 0;
        for (int p = 0; p < log.levels(); p++) {
            Lane lane = new Lane(p, 0);
            upTo(driver, lane, log.end(lane));
            requests += log.end(lane);
        }
        Duration took = Duration.ofNanos(time.nanos() - begun);
        return new Load(requests, took, liveHeap() - before);
    }

    /** Delivers the first records of a lane. */
    static void upTo(FrontierDriver driver, Lane lane, int end) {
        for (int from = 0; from < end; from += BATCH) {
            driver.deliver(lane, from, Math.min(from + BATCH, end), 0);
        }
    }

    /** Bytes of the heap that are in use after a collection. */
    private static long liveHeap() {
        Runtime jvm = Runtime.getRuntime();
        jvm.gc();
        return jvm.totalMemory() - jvm.freeMemory();
    }
}
