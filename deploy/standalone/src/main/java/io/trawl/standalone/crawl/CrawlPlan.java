package io.trawl.standalone.crawl;

import io.trawl.control.CrawlDefinition;
import io.trawl.model.CrawlId;
import io.trawl.standalone.crawl.FleetRunner.FleetPlan;
import java.nio.file.Path;
import java.util.List;

/**
 * The checked options of one run of {@code ./trawl crawl}.
 *
 * @param crawl the crawl's id
 * @param definition of the crawl
 * @param out the folder for pages and errors, in a folder per run
 * @param data the folder of Kafka and Redis of this crawl only, so that unfinished work of one crawl never runs with
 *        another
 * @param allowNetwork private or loopback networks that are allowed
 * @param concurrency the maximum number of requests in flight
 * @param fresh whether to start over
 */
public record CrawlPlan(CrawlId crawl, CrawlDefinition definition, Path out, Path data, List<String> allowNetwork,
        int concurrency, boolean fresh) {
    /** The processes of the run. */
    public FleetPlan fleet() {
        return new FleetPlan(out, data, allowNetwork, concurrency, false);
    }
}
