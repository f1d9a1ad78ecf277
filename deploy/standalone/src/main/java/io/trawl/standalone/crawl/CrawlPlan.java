package io.trawl.standalone.crawl;

import io.trawl.control.CrawlDefinition;
import io.trawl.model.CrawlId;
import java.nio.file.Path;
import java.util.List;

/**
 * One run of {@code ./trawl crawl}, its options checked.
 *
 * @param crawl the crawl's id
 * @param definition what it is to do
 * @param out where pages and errors are written; belongs to this crawl alone
 * @param data where Kafka and Redis of this crawl keep theirs, shared with no other crawl: what one has left undone never runs along with another
 * @param allowNetwork networks that may be fetched from although they are private or loopback
 * @param concurrency requests in flight in all
 * @param fresh whether to begin anew
 */
public record CrawlPlan(CrawlId crawl, CrawlDefinition definition, Path out, Path data, List<String> allowNetwork,
        int concurrency, boolean fresh) {
    /** The processes that carry it out. */
    FleetPlan fleet() {
        return new FleetPlan(out, data, allowNetwork, concurrency, false);
    }
}
