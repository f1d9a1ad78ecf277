package io.trawl.bench.run;

import io.trawl.bench.fleet.SeedsClient;
import io.trawl.bench.report.Quantiles;
import io.trawl.bench.web.LoopbackWeb;
import io.trawl.bench.web.SlowWeb;
import io.trawl.model.CrawlId;
import io.trawl.model.Seed;
import io.trawl.time.Time;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Submits seeds at the highest priority, one after the other, each for a host that nobody else asks, and takes the time from the coordinator's
 * acknowledgement to the arrival of the request for the page at its host; robots.txt has been asked for by then.
 */
public final class UrgentSeeds {
    private static final long TO_ARRIVE_SECONDS = 30;
    private final SeedsClient coordinator;
    private final CrawlId crawl;
    private final int priority;
    private final LoopbackWeb web;
    private final SlowWeb pages;
    private final Time time;

    /** @param priority the highest */
    public UrgentSeeds(SeedsClient coordinator, CrawlId crawl, int priority, LoopbackWeb web, SlowWeb pages, Time time) {
        this.coordinator = coordinator;
        this.crawl = crawl;
        this.priority = priority;
        this.web = web;
        this.pages = pages;
        this.time = time;
    }

    /**
     * Submits one seed for each of so many hosts and waits for its arrival.
     *
     * @return the times, in nanoseconds
     * @throws IllegalStateException if one does not arrive at all
     */
    public Quantiles submit(int firstHost, int seeds) throws InterruptedException {
        long[] times = new long[seeds];
        for (int i = 0; i < seeds; i++) {
            String url = web.url(firstHost + i, "/urgent.html");
            coordinator.submit(crawl, List.of(Seed.of(crawl, url, Optional.of(priority))));
            long acknowledged = time.nanos();
            try {
                // A request may well be there before we have read the answer to the call.
                times[i] = Math.max(0, pages.arrival(firstHost + i).get(TO_ARRIVE_SECONDS, TimeUnit.SECONDS) - acknowledged);
            } catch (TimeoutException | ExecutionException e) {
                throw new IllegalStateException(url + " was not asked for within " + TO_ARRIVE_SECONDS + " s", e);
            }
        }
        return new Quantiles(times);
    }
}
