package io.trawl.coordinator.api;

import io.trawl.coordinator.events.CrawlEvent;
import io.trawl.model.CrawlId;
import java.util.List;
import java.util.Optional;

/** Knows the last events of the deployment. Every coordinator does. */
@FunctionalInterface
public interface EventDesk {
    /** The last events, newest first; of one crawl, if it is named. */
    List<CrawlEvent> events(Optional<CrawlId> crawl);
}
