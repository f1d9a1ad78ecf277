package io.trawl.bench.frontier;

import io.trawl.bench.frontier.FrontierDriver.Begun;
import io.trawl.bench.load.Backlog;
import io.trawl.bench.load.Share;
import io.trawl.downloader.frontier.Lane;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * A frontier in which the number of waiting requests stays the same: whenever one has been answered, one is delivered. Its log is a ring, so a record
 * comes again at a later offset. Not thread-safe.
 */
public final class FrontierTreadmill {
    private static final int PER_HOST = 50;
    private static final int CONCURRENCY = 64;
    private static final long TURN_NANOS = 1_000_000;
    private static final Duration TOOK = Duration.ofMillis(CONCURRENCY);
    private final FrontierDriver driver;
    private final Lane lane = new Lane(0, 0);
    private final Queue<Begun> flights = new ArrayDeque<>();
    private int delivered;
    private long now;

    private FrontierTreadmill(RequestLog log, int waiting) {
        this.driver = new FrontierDriver(log, CONCURRENCY, Duration.ofMillis(CONCURRENCY));
        Load.upTo(driver, lane, waiting);
        delivered = waiting;
        flights.addAll(driver.step(now));
    }

    /** With so many requests waiting, 50 for each host. */
    public static FrontierTreadmill of(int waiting) {
        Backlog backlog = new Backlog(List.of(new Share(Math.max(CONCURRENCY * 4, waiting / PER_HOST), PER_HOST, 0)), false);
        return new FrontierTreadmill(new RequestLog(backlog, 1), waiting);
    }

    /** Ends the oldest fetch, acknowledges its answer, delivers one more request, and returns the fetches that begin. */
    public List<Begun> turn() {
        now += TURN_NANOS;
        Begun oldest = flights.poll();
        if (oldest != null) {
            driver.fetched(oldest.ticket(), TOOK, now);
        }
        driver.deliver(lane, delivered, delivered + 1, now);
        delivered++;
        List<Begun> begun = driver.step(now);
        driver.acknowledge(now);
        flights.addAll(begun);
        return begun;
    }

}
