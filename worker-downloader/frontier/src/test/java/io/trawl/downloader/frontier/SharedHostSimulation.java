package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.FrontierAction.BeginFetch;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.testkit.web.BacklogPlan;
import io.trawl.testkit.web.BacklogShare;
import java.time.Duration;
import java.util.List;

/** A small crawl of a host for which a large one has many requests already, in simulated time. */
public final class SharedHostSimulation {
    private static final RequestPartition PARTITION = new RequestPartition(0, 0);
    private static final String HOST = "shared.test";
    private final int large;
    private final int small;
    private final Duration pause;

    /**
     * Prepares simulations.
     *
     * @param large the requests of the large crawl
     * @param small those of the small one, which come after them
     * @param pause from one response of the host to the next request
     */
    public SharedHostSimulation(int large, int small, Duration pause) {
        this.large = large;
        this.small = small;
        this.pause = pause;
    }

    /**
     * The time until the last request of the small crawl begins.
     *
     * @param apart whether the crawls are two; otherwise all requests belong to one, first come, first served
     */
    public Duration untilSmallIsDone(boolean apart) {
        BacklogPlan plan = new BacklogPlan(List.of(new BacklogShare(1, large, 0), new BacklogShare(1, small, 0)),
                false);
        RequestLog log = new RequestLog(plan, 1, host -> HOST,
                host -> new CrawlRun(new CrawlId(apart && host == 1 ? "small" : "large"), 1));
        World world = World.of(log, 64, pause);
        ScanLoad.upTo(world, log, PARTITION, log.end(PARTITION));
        int left = small;
        while (left > 0) {
            List<BeginFetch> begun = world.settle().takeFetches();
            for (BeginFetch fetch : begun) {
                left -= fetch.request().id().value() >> 4 >= large ? 1 : 0;
                world.frontier.fetched(fetch.ticket(), World.page(Duration.ZERO), world.now);
            }
            world.acknowledgeOnly();
            if (begun.isEmpty()) {
                world.now = Math.max(world.now, world.frontier.due().orElseThrow());
            }
        }
        return Duration.ofNanos(world.now);
    }
}
