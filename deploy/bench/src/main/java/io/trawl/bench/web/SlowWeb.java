package io.trawl.bench.web;

import io.trawl.testkit.web.WebPages;
import io.trawl.testkit.web.WebResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Slow hosts, followed by hosts that answer at once and record the time of their first request. The response times of
 * slow hosts differ, so that they are not synchronised. Counts requests for pages. Thread-safe.
 */
public final class SlowWeb implements WebPages {
    private static final int STEPS = 97;
    private final int slow;
    private final LongSupplier nanos;
    private final WebResponse[] webResponses = new WebResponse[STEPS];
    private final WebResponse quick = WebResponse.page("<title>quick</title>", Duration.ZERO);
    private final LongAdder visits = new LongAdder();
    private final LongAdder quickVisits = new LongAdder();
    private final Map<Integer, CompletableFuture<Long>> arrivals = new ConcurrentHashMap<>();

    /**
     * @param slow number of slow hosts
     * @param shortest minimum response time of slow hosts
     * @param longest maximum response time of slow hosts
     * @param nanos the clock for arrivals
     */
    public SlowWeb(int slow, Duration shortest, Duration longest, LongSupplier nanos) {
        this.slow = slow;
        this.nanos = nanos;
        for (int i = 0; i < STEPS; i++) {
            webResponses[i] = WebResponse.page("<title>slow</title>",
                    shortest.plus(longest.minus(shortest).multipliedBy(i).dividedBy(STEPS)));
        }
    }

    /** Slow hosts whose response times lie between a fifth of the longest and all of it. */
    public SlowWeb(int slow, Duration longest, LongSupplier nanos) {
        this(slow, longest.dividedBy(5), longest, nanos);
    }

    @Override
    public WebResponse answer(int host, String path) {
        if (path.equals("/robots.txt")) {
            return WebResponse.notFound();
        }
        if (host < slow) {
            visits.increment();
            return webResponses[Math.floorMod(host * 31 + path.hashCode(), STEPS)];
        }
        quickVisits.increment();
        arrival(host).complete(nanos.getAsLong());
        return quick;
    }

    /** The number of page requests to slow hosts. */
    public long visits() {
        return visits.sum();
    }

    /** The number of page requests to quick hosts. */
    public long quickVisits() {
        return quickVisits.sum();
    }

    /** The time of the first page request to a quick host. */
    public CompletableFuture<Long> arrival(int host) {
        return arrivals.computeIfAbsent(host, h -> new CompletableFuture<>());
    }
}
