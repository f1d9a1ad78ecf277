package io.trawl.bench.web;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Hosts that are slow, and behind them hosts that answer at once and note when they are asked. The slow ones differ, so that they do not go in step.
 * Thread-safe.
 */
public final class SlowWeb implements Pages {
    private static final int STEPS = 97;
    private final int slow;
    private final Duration longest;
    private final LongSupplier nanos;
    private final Answer[] answers = new Answer[STEPS];
    private final Answer quick = Answer.page("<title>quick</title>", Duration.ZERO);
    private final LongAdder visits = new LongAdder();
    private final Map<Integer, CompletableFuture<Long>> arrivals = new ConcurrentHashMap<>();

    /**
     * @param slow how many hosts are slow
     * @param longest they take between a fifth of it and all of it
     * @param nanos the clock for arrivals
     */
    public SlowWeb(int slow, Duration longest, LongSupplier nanos) {
        this.slow = slow;
        this.longest = longest;
        this.nanos = nanos;
        for (int i = 0; i < STEPS; i++) {
            answers[i] = Answer.page("<title>slow</title>", longest.multipliedBy(STEPS + 4L * i).dividedBy(5L * STEPS));
        }
    }

    @Override
    public Answer answer(int host, String path) {
        if (path.equals("/robots.txt")) {
            return Answer.notFound();
        }
        if (host < slow) {
            visits.increment();
            return answers[Math.floorMod(host * 31 + path.hashCode(), STEPS)];
        }
        arrival(host).complete(nanos.getAsLong());
        return quick;
    }

    /** How often the slow hosts were asked for a page. */
    public long visits() {
        return visits.sum();
    }

    /** When a quick host was asked for a page first. */
    public CompletableFuture<Long> arrival(int host) {
        return arrivals.computeIfAbsent(host, h -> new CompletableFuture<>());
    }

    @Override
    public String toString() {
        return slow + " hosts of up to " + longest;
    }
}
