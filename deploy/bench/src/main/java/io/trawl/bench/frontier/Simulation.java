package io.trawl.bench.frontier;

import io.trawl.bench.frontier.FrontierDriver.Begun;
import io.trawl.bench.load.BacklogPlan;
import io.trawl.bench.report.Quantiles;
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
    private final FrontierDriver driver;
    private final long[] decisions;
    private int fetches;
    private long answering;
    private long answers;
    private long now;

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
    public record Report(ScanLoad load, Quantiles decisions, long perAnswer, long outOfOrder, Duration simulated) {}

    private record RunningFetch(Begun fetch, int host, Duration took, long endsAt) {}

    /** @param clock the clock of the measurements */
    public Simulation(Shape shape, Time clock) {
        this.shape = shape;
        this.clock = clock;
        log = new RequestLog(shape.backlog(), shape.levels());
        order = new OrderCheck(shape.backlog(), shape.levels());
        driver = new FrontierDriver(log, shape.concurrency(), shape.delay());
        decisions = new long[shape.fetches() * 2 + 1000];
    }

    /** Runs the simulation. To be called once. */
    public Report run() {
        ScanLoad scanLoad = ScanLoad.all(driver, log, clock);
        int steps = 0;
        while (fetches < shape.fetches() && steps < decisions.length) {
            order.stepEnds(now);
            RunningFetch next = inFlight.peek();
            long due = driver.due().orElse(Long.MAX_VALUE);
            if (steps > 0 && next == null && due == Long.MAX_VALUE) {
                break;
            }
            boolean fetchEnds = next != null && next.endsAt() <= due;
            now = Math.max(now, fetchEnds ? next.endsAt() : steps == 0 ? 0 : due);
            if (fetchEnds) {
                inFlight.remove();
            }
            decisions[steps++] = decide(fetchEnds ? List.of(next) : List.of());
            acknowledge();
        }
        return new Report(scanLoad, new Quantiles(Arrays.copyOf(decisions, steps)),
                answers == 0 ? 0 : answering / answers, order.outOfOrder(), Duration.ofNanos(now));
    }

    private long decide(List<RunningFetch> ended) {
        for (RunningFetch running : ended) {
            order.ended(running.host(), now, now + Math.max(shape.delay().toNanos(), running.took().toNanos()));
        }
        long begun = clock.nanos();
        for (RunningFetch running : ended) {
            driver.fetched(running.fetch().ticket(), running.took(), now);
        }
        List<Begun> fetches = driver.step(now);
        long took = clock.nanos() - begun;
        fetches.forEach(this::startFetch);
        return took;
    }

    private void startFetch(Begun fetch) {
        int host = hostNumber(fetch.host());
        order.begun(host, fetch.priority());
        Duration took = host == 0 ? shape.took().multipliedBy(100) : shape.took();
        inFlight.add(new RunningFetch(fetch, host, took, now + took.toNanos()));
        fetches++;
    }

    private void acknowledge() {
        long begun = clock.nanos();
        int n = driver.acknowledge(now);
        answering += clock.nanos() - begun;
        answers += n;
    }

    /** The number of the host with the name {@code 127.a.b.c:port}. */
    private static int hostNumber(String name) {
        String[] parts = name.split("[.:]");
        return (Integer.parseInt(parts[1]) - 1 << 16) + (Integer.parseInt(parts[2]) << 8) + Integer.parseInt(parts[3]);
    }
}
