package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.time.Time;
import java.time.Duration;

/**
 * The cost of loading a whole log into the frontier.
 *
 * @param requests number of requests
 * @param took time to deliver all of them, in batches
 * @param heap growth of the live heap in bytes
 */
public record ScanLoad(long requests, Duration took, long heap) {
    private static final int BATCH = 500;

    /** Delivers all records and measures the cost. */
    static ScanLoad all(World world, RequestLog log, Time time) {
        long before = liveHeap();
        long begun = time.nanos();
        long requests = 0;
        for (int p = 0; p < log.levels(); p++) {
            RequestPartition requestPartition = new RequestPartition(p, 0);
            upTo(world, log, requestPartition, log.end(requestPartition));
            requests += log.end(requestPartition);
        }
        Duration took = Duration.ofNanos(time.nanos() - begun);
        return new ScanLoad(requests, took, liveHeap() - before);
    }

    /** Delivers the first records of a partition. */
    static void upTo(World world, RequestLog log, RequestPartition requestPartition, int end) {
        for (int from = 0; from < end; from += BATCH) {
            world.deliver(log, requestPartition, from, Math.min(from + BATCH, end));
        }
    }

    /** The bytes of heap in use after a garbage collection. */
    private static long liveHeap() {
        Runtime jvm = Runtime.getRuntime();
        jvm.gc();
        return jvm.totalMemory() - jvm.freeMemory();
    }
}
