package io.trawl.bench.web;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Hosts whose pages all take the same time, and that count who comes sooner after the end of an answer than the delay. Asked by the server's one
 * thread, read by any.
 */
public final class PoliteWeb implements Pages {
    /** For the rounding of clocks. */
    private static final Duration TOLERANCE = Duration.ofMillis(5);
    private final Answer page;
    private final Duration delay;
    private final LongSupplier nanos;
    private final LongAdder visits = new LongAdder();
    private final AtomicLong early = new AtomicLong();
    private final Map<Integer, Long> free = new HashMap<>();

    /**
     * @param takes of each page; robots.txt is answered at once
     * @param delay that is promised to each host, from the end of an answer to the next request
     */
    public PoliteWeb(Duration takes, Duration delay, LongSupplier nanos) {
        this.page = Answer.page("<title>page</title>", takes);
        this.delay = delay.minus(TOLERANCE);
        this.nanos = nanos;
    }

    @Override
    public Answer answer(int host, String path) {
        boolean robots = path.equals("/robots.txt");
        Answer answer = robots ? Answer.notFound() : page;
        long now = nanos.getAsLong();
        Long since = free.put(host, now + answer.delay().toNanos() + delay.toNanos());
        if (since != null && now - since < 0) {
            early.incrementAndGet();
        }
        if (!robots) {
            visits.increment();
        }
        return answer;
    }

    /** How many pages were asked for. */
    public long visits() {
        return visits.sum();
    }

    /** How many requests came too early. */
    public long early() {
        return early.get();
    }
}
