package io.trawl.coordinator.api;

import io.trawl.control.CrawlDefinition;
import io.trawl.coordinator.queue.QueueSummary;
import io.trawl.model.CrawlId;
import io.trawl.model.Seed;
import io.trawl.module.Registration;
import java.util.List;

/**
 * Where the REST interface hands in what it was asked for. Calls block. Those that change something are carried out by the leader, and throw
 * {@link io.trawl.coordinator.lifecycle.LeaderThread.NotLeading} elsewhere; what they refuse is told by the exceptions of the lifecycle package.
 */
public interface Desk {
    /** What became of a definition: the crawl, and whether it is new. */
    record Defined(CrawlSummary summary, boolean created) {}

    /** Defines a crawl, or attaches to the one that exists. Leader only. */
    Defined define(CrawlId crawl, CrawlDefinition definition, boolean start, boolean fresh) throws InterruptedException;

    /** Starts a crawl, or lets it go on. Leader only. */
    CrawlSummary start(CrawlId crawl) throws InterruptedException;

    /** Begins to stop a crawl. Leader only. */
    CrawlSummary stop(CrawlId crawl) throws InterruptedException;

    /**
     * Writes seeds of a crawl to the topic, after checking all of them. The leader keeps a place for each, so that none is refused as CHANNEL_FULL
     * later; elsewhere, while nobody leads, they take their chance.
     *
     * @return how many are acknowledged: all
     * @throws io.trawl.coordinator.lifecycle.ChannelFull if there are not enough places; none is written
     */
    int submit(CrawlId crawl, List<Seed> seeds) throws InterruptedException;

    /** A crawl as it is known here; what is unknown is asked for once more before it is refused. */
    CrawlSummary crawl(CrawlId crawl) throws InterruptedException;

    /** All crawls that are known here. */
    List<CrawlSummary> crawls();

    /** How full the channels are, and what has gone through them. */
    QueueSummary queue();

    /** The deployment as it is known here. */
    FleetSummary summary();

    /** The live processes. */
    List<Registration> modules();

    /** Whether this coordinator leads. */
    boolean leading();

    /** The addresses of the other coordinators, the one that says that it leads first. */
    List<String> others();
}
