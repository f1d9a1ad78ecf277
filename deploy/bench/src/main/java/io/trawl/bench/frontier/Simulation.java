package io.trawl.bench.frontier;

import io.trawl.bench.frontier.FrontierDriver.Begun;
import io.trawl.bench.load.Backlog;
import io.trawl.bench.report.Quantiles;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Lets a backlog run through the frontier on one thread, in simulated time: every fetch takes as long as its host takes. Measured in real time are the
 * frontier's own calls. The order of priorities is judged from outside, by {@link OrderCheck}.
 */
public final class Simulation {
    private final Shape shape;
    private final Time clock;
    private final PriorityQueue<Flight> flights = new PriorityQueue<>(Comparator.comparingLong(Flight::ends));
    private final OrderCheck order;
    private final RequestLog log;
    private final FrontierDriver driver;
    private final long[] decisions;
    private int fetches;
    private long answering;
    private long answers;
    private long now;

    /**
     * What is simulated.
     *
     * @param concurrency fetches at a time
     * @param delay of every host
     * @param took what a fetch takes; of host 0 a hundred times that
     * @param fetches after how many it ends
     */
    public record Shape(Backlog backlog, int levels, int concurrency, Duration delay, Duration took, int fetches) {}

    /**
     * What was found.
     *
     * @param decisions nanoseconds from the end of a fetch, or of a pause, to the fetches that the frontier begins then: all its work in between
     * @param perAnswer mean nanoseconds for taking note of an acknowledged answer
     * @param outOfOrder fetches that left while one of a higher priority could have left before
     * @param simulated how much simulated time has passed
     */
    public record Report(Load load, Quantiles decisions, long perAnswer, long outOfOrder, Duration simulated) {}

    private record Flight(Begun fetch, int host, Duration took, long ends) {}

    /** @param clock the real one */
    public Simulation(Shape shape, Time clock) {
        this.shape = shape;
        this.clock = clock;
        log = new RequestLog(shape.backlog(), shape.levels());
        order = new OrderCheck(shape.backlog(), shape.levels());
        driver = new FrontierDriver(log, shape.concurrency(), shape.delay());
        decisions = new long[shape.fetches() * 2 + 1000];
    }

    /** Runs it, once. */
    public Report run() {
        Load load = Load.all(driver, log, clock);
        int steps = 0;
        while (fetches < shape.fetches() && steps < decisions.length) {
            order.stepEnds(now);
            Flight next = flights.peek();
            long due = driver.due().orElse(Long.MAX_VALUE);
            if (steps > 0 && next == null && due == Long.MAX_VALUE) {
                break;
            }
            boolean lands = next != null && next.ends() <= due;
            now = Math.max(now, lands ? next.ends() : steps == 0 ? 0 : due);
            if (lands) {
                flights.remove();
            }
            decisions[steps++] = decide(lands ? List.of(next) : List.of());
            acknowledge();
        }
        return new Report(load, new Quantiles(Arrays.copyOf(decisions, steps)), answers == 0 ? 0 : answering / answers,
                order.outOfOrder(), Duration.ofNanos(now));
    }

    private long decide(List<Flight> landed) {
        for (Flight flight : landed) {
            order.landed(flight.host(), now, now + Math.max(shape.delay().toNanos(), flight.took().toNanos()));
        }
        long begun = clock.nanos();
        for (Flight flight : landed) {
            driver.fetched(flight.fetch().ticket(), flight.took(), now);
        }
        List<Begun> fetches = driver.step(now);
        long took = clock.nanos() - begun;
        fetches.forEach(this::takeOff);
        return took;
    }

    private void takeOff(Begun fetch) {
        int host = hostNumber(fetch.host());
        order.begun(host, fetch.priority());
        Duration took = host == 0 ? shape.took().multipliedBy(100) : shape.took();
        flights.add(new Flight(fetch, host, took, now + took.toNanos()));
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
