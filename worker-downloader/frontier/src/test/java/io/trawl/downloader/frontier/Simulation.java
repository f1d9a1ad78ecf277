package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.FrontierAction.BeginFetch;
import io.trawl.testkit.web.BacklogPlan;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Runs a backlog through the frontier on one thread in simulated time, in which every host has its response time. The
 * frontier's calls are measured in real time. {@link OrderCheck} checks the order of priorities.
 */
public final class Simulation {
    private final Shape shape;
    private final Time clock;
    private final PriorityQueue<RunningFetch> inFlight = new PriorityQueue<>(
            Comparator.comparingLong(RunningFetch::endsAt));
    private final OrderCheck order;
    private final RequestLog log;
    private final World world;
    private final long[] decisions;
    private int fetches;
    private long answering;
    private long answers;

    /**
     * The parameters of a simulation.
     *
     * @param concurrency number of concurrent fetches
     * @param delay of every host
     * @param took the duration of a fetch; host 0 takes a hundred times as long
     * @param fetches number of fetches after which the simulation endsAt
     */
    public record Shape(BacklogPlan backlog, int levels, int concurrency, Duration delay, Duration took, int fetches) {}

    /**
     * The measurements.
     *
     * @param decisions nanoseconds from the end of a fetch or of a pause to the start of the next fetches: all the
     * frontier's work in between
     * @param perAnswer mean nanoseconds to process an acknowledged answer
     * @param outOfOrder fetches that started although one of a higher priority could have started before
     * @param simulated the simulated duration
     */
    public record Report(ScanLoad load, List<Long> decisions, long perAnswer, long outOfOrder, Duration simulated) {}

    private record RunningFetch(BeginFetch fetch, int host, Duration took, long endsAt) {}

    /** @param clock the clock of the measurements */
    public Simulation(Shape shape, Time clock) {
        this.shape = shape;
        this.clock = clock;
        log = new RequestLog(shape.backlog(), shape.levels());
        order = new OrderCheck(shape.backlog(), shape.levels());
        world = World.of(log, shape.concurrency(), shape.delay());
        decisions = new long[shape.fetches() * 2 + 1000];
    }

    /** Runs the simulation. To be called once. */
    public Report run() {
        ScanLoad scanLoad = ScanLoad.all(world, log, clock);
        int steps = 0;
        while (fetches < shape.fetches() && steps < decisions.length) {
            order.stepEnds(world.now);
            RunningFetch next = inFlight.peek();
            long due = world.frontier.due().orElse(Long.MAX_VALUE);
            if (steps > 0 && next == null && due == Long.MAX_VALUE) {
                break;
            }
            boolean fetchEnds = next != null && next.endsAt() <= due;
            world.now = Math.max(world.now, fetchEnds ? next.endsAt() : steps == 0 ? 0 : due);
            if (fetchEnds) {
                inFlight.remove();
            }
            decisions[steps++] = decide(fetchEnds ? List.of(next) : List.of());
            acknowledge();
        }
        return new Report(scanLoad, Arrays.stream(decisions, 0, steps).boxed().toList(),
                answers == 0 ? 0 : answering / answers, order.outOfOrder(), Duration.ofNanos(world.now));
    }

    private long decide(List<RunningFetch> ended) {
        for (RunningFetch running : ended) {
            order.ended(running.host(), world.now,
                    world.now + Math.max(shape.delay().toNanos(), running.took().toNanos()));
        }
        long begun = clock.nanos();
        for (RunningFetch running : ended) {
            world.frontier.fetched(running.fetch().ticket(), World.page(running.took()), world.now);
        }
        List<BeginFetch> begunFetches = world.settle().takeFetches();
        long took = clock.nanos() - begun;
        begunFetches.forEach(this::startFetch);
        return took;
    }

    private void startFetch(BeginFetch fetch) {
        int host = hostNumber(fetch.request().host().value());
        order.begun(host, fetch.request().priority());
        Duration took = host == 0 ? shape.took().multipliedBy(100) : shape.took();
        inFlight.add(new RunningFetch(fetch, host, took, world.now + took.toNanos()));
        fetches++;
    }

    private void acknowledge() {
        long begun = clock.nanos();
        int n = world.acknowledgeOnly();
        answering += clock.nanos() - begun;
        answers += n;
    }

    /** The number of the host with the name {@code 127.a.b.c:port}. */
    private static int hostNumber(String name) {
        String[] parts = name.split("[.:]");
        return (Integer.parseInt(parts[1]) - 1 << 16) + (Integer.parseInt(parts[2]) << 8) + Integer.parseInt(parts[3]);
    }
}
