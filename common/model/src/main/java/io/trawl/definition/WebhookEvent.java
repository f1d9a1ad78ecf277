package io.trawl.definition;

import io.trawl.model.CrawlId;
import java.time.Instant;

/** What has happened to a crawl or to one of its pages. Its JSON is what receivers get. */
public interface WebhookEvent {
    /** Unique among all events: a receiver knows a repetition by it. */
    String id();

    /** When it happened. */
    Instant at();

    /** See {@link EventType#word}; readers may meet the types of another version. */
    String type();

    /** The crawl. */
    CrawlId crawl();

    /** The number of its run. */
    int epoch();
}
