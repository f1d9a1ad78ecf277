package io.trawl.coordinator.api;

import io.trawl.coordinator.lifecycle.WrittenDefinition;
import io.trawl.model.CrawlId;
import io.trawl.model.Seed;
import java.util.List;

/** Carries out what is asked of a crawl; see {@link Desks} for what all calls have in common. */
public interface CrawlDesk {
    /** What became of a definition: the crawl, and whether it is new. */
    record Defined(CrawlSummary summary, boolean created) {}

    /** Defines a crawl, or attaches to the one that exists. Leader only. */
    Defined define(CrawlId crawl, WrittenDefinition written, boolean start, boolean fresh) throws InterruptedException;

    /** Starts a crawl, or lets it go on. Leader only. */
    CrawlSummary start(CrawlId crawl) throws InterruptedException;

    /** Begins to stop a crawl. Leader only. */
    CrawlSummary stop(CrawlId crawl) throws InterruptedException;

    /** Deletes a crawl and all its state; what is stored stays. Leader only. */
    void delete(CrawlId crawl) throws InterruptedException;

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

    /** All crawls that are known here, in brief. */
    List<CrawlSummary> crawls();
}
