package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.FrontierAction.BeginFetch;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.testkit.web.BacklogPlan;
import io.trawl.testkit.web.BacklogShare;
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
    private final RequestLog log;
    private final World world;
    private final RequestPartition requestPartition = new RequestPartition(0, 0);
    private final Queue<BeginFetch> inFlight = new ArrayDeque<>();
    private int delivered;

    private SteadyFrontier(RequestLog log, int waiting) {
        this.log = log;
        this.world = World.of(log, CONCURRENCY, Duration.ofMillis(CONCURRENCY));
        ScanLoad.upTo(world, log, requestPartition, waiting);
        delivered = waiting;
        inFlight.addAll(world.settle().takeFetches());
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
    public List<BeginFetch> turn() {
        world.now += TURN_NANOS;
        BeginFetch oldest = inFlight.poll();
        if (oldest != null) {
            world.frontier.fetched(oldest.ticket(), World.page(TOOK), world.now);
        }
        world.deliver(log, requestPartition, delivered, delivered + 1);
        delivered++;
        List<BeginFetch> begun = world.settle().takeFetches();
        world.acknowledgeOnly();
        inFlight.addAll(begun);
        return begun;
    }

}
