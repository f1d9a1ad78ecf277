package io.trawl.bench.web;

import io.trawl.testkit.web.WebPages;
import io.trawl.testkit.web.WebResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Hosts with a fixed response time that count requests which arrive before the delay after the previous response has
 * passed. The server's thread calls {@link #answer}; any thread may read the counters.
 */
public final class PoliteWeb implements WebPages {
    /** Tolerance for clock rounding. */
    private static final Duration TOLERANCE = Duration.ofMillis(5);
    private final WebResponse page;
    private final Duration delay;
    private final LongSupplier nanos;
    private final LongAdder visits = new LongAdder();
    private final AtomicLong early = new AtomicLong();
    private final Map<Integer, Long> nextAllowed = new HashMap<>();

    /**
     * @param takes response time of each page; robots.txt is answered at once
     * @param delay minimum time from the end of a response to the next request of a host
     */
    public PoliteWeb(Duration takes, Duration delay, LongSupplier nanos) {
        this.page = WebResponse.page("<title>page</title>", takes);
        this.delay = delay.minus(TOLERANCE);
        this.nanos = nanos;
    }

    @Override
    public WebResponse answer(int host, String path) {
        boolean robots = path.equals("/robots.txt");
        WebResponse webResponse = robots ? WebResponse.notFound() : page;
        long now = nanos.getAsLong();
        Long since = nextAllowed.put(host, now + webResponse.delay().toNanos() + delay.toNanos());
        if (since != null && now - since < 0) {
            early.incrementAndGet();
        }
        if (!robots) {
            visits.increment();
        }
        return webResponse;
    }

    /** The number of requested pages. */
    public long visits() {
        return visits.sum();
    }

    /** The number of requests that came too early. */
    public long early() {
        return early.get();
    }
}
