package io.trawl.bench.run;

import io.trawl.bench.web.SlowWeb;
import io.trawl.model.CrawlId;
import io.trawl.model.Seed;
import io.trawl.standalone.client.Api;
import io.trawl.testkit.web.LoopbackWeb;
import io.trawl.time.Time;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Submits seeds at the highest priority, one after the other, each for its own host, and measures the time from the
 * coordinator's acknowledgement to the arrival of the page request at the host. This time includes the fetch of
 * robots.txt.
 *
 * @param priority the highest priority
 */
public record SeedLatency(Api coordinator, CrawlId crawl, int priority, LoopbackWeb web, SlowWeb pages, Time time) {
    private static final long ARRIVAL_TIMEOUT_SECONDS = 30;

    /**
     * Submits one seed for each host and waits for its request.
     *
     * @return the times, in nanoseconds
     * @throws IllegalStateException if a request does not arrive
     */
    public Quantiles submit(int firstHost, int seeds) throws InterruptedException {
        long[] times = new long[seeds];
        for (int i = 0; i < seeds; i++) {
            String url = web.url(firstHost + i, "/urgent.html");
            coordinator.post("/api/v1/crawls/" + crawl + "/seeds", List.of(Seed.of(crawl, url, Optional.of(priority))));
            long acknowledged = time.nanos();
            try {
                // The request may arrive before the answer to the call is read.
                times[i] = Math.max(0,
                        pages.arrival(firstHost + i).get(ARRIVAL_TIMEOUT_SECONDS, TimeUnit.SECONDS) - acknowledged);
            } catch (TimeoutException | ExecutionException e) {
                throw new IllegalStateException(url + " was not requested within " + ARRIVAL_TIMEOUT_SECONDS + " s", e);
            }
        }
        return new Quantiles(times);
    }
}
