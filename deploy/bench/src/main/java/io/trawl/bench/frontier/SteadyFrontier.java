package io.trawl.bench.frontier;

import io.trawl.bench.frontier.FrontierDriver.Begun;
import io.trawl.bench.load.BacklogPlan;
import io.trawl.bench.load.BacklogShare;
import io.trawl.downloader.frontier.queue.RequestPartition;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * A frontier with a constant number of waiting requests: for each answered request one more is delivered. The log
 * repeats its records at later offsets. Not thread-safe.
 */
public final class SteadyFrontier {
    private static final int PER_HOST = 50;
    private static final int CONCURRENCY = 64;
    private static final long TURN_NANOS = 1_000_000;
    private static final Duration TOOK = Duration.ofMillis(CONCURRENCY);
    private final FrontierDriver driver;
    private final RequestPartition requestPartition = new RequestPartition(0, 0);
    private final Queue<Begun> inFlight = new ArrayDeque<>();
    private int delivered;
    private long now;

    private SteadyFrontier(RequestLog log, int waiting) {
        this.driver = new FrontierDriver(log, CONCURRENCY, Duration.ofMillis(CONCURRENCY));
        ScanLoad.upTo(driver, requestPartition, waiting);
        delivered = waiting;
        inFlight.addAll(driver.step(now));
    }

    /** A frontier with this number of waiting requests, 50 for each host. */
    public static SteadyFrontier of(int waiting) {
        BacklogPlan backlogPlan = new BacklogPlan(
                List.of(new BacklogShare(Math.max(CONCURRENCY * 4, waiting / PER_HOST), PER_HOST, 0)), false);
        return new SteadyFrontier(new RequestLog(backlogPlan, 1), waiting);
    }

    /**
     * Ends the oldest fetch, acknowledges its answer, delivers one more request, and returns the fetches that start.
     */
    public List<Begun> turn() {
        now += TURN_NANOS;
        Begun oldest = inFlight.poll();
        if (oldest != null) {
            driver.fetched(oldest.ticket(), TOOK, now);
        }
        driver.deliver(requestPartition, delivered, delivered + 1, now);
        delivered++;
        List<Begun> begun = driver.step(now);
        driver.acknowledge(now);
        inFlight.addAll(begun);
        return begun;
    }

}
