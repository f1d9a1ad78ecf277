package io.trawl.standalone.crawl;

import io.trawl.coordinator.lifecycle.NewRun;
import io.trawl.definition.CrawlDefinition;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.SeedSource;
import io.trawl.standalone.crawl.FleetRunner.FleetPlan;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The checked options of one run of {@code ./trawl crawl}.
 *
 * @param crawl the crawl's id
 * @param definition of the crawl
 * @param out the folder for pages and errors, in a folder per run
 * @param data the folder of Kafka and Redis of this crawl only, so that unfinished work of one crawl never runs with
 * another
 * @param allowNetwork private or loopback networks that are allowed
 * @param concurrency the maximum number of requests in flight, if there is one
 * @param newRun which run is wanted
 * @param seeds further seeds than those of the definition
 * @param replay what answers the requests instead of the web; empty: a crawl
 */
public record CrawlPlan(CrawlId crawl, CrawlDefinition definition, Path out, Path data, List<String> allowNetwork,
        Optional<Integer> concurrency, NewRun newRun, Optional<SeedSource> seeds, Optional<ReplayedArchives> replay) {
    /** A crawl. */
    public CrawlPlan(CrawlId crawl, CrawlDefinition definition, Path out, Path data, List<String> allowNetwork,
            Optional<Integer> concurrency, NewRun newRun, Optional<SeedSource> seeds) {
        this(crawl, definition, out, data, allowNetwork, concurrency, newRun, seeds, Optional.empty());
    }

    /** The processes of the run. */
    public FleetPlan fleet() {
        return new FleetPlan(out, data, allowNetwork, concurrency, false);
    }
}
