package io.trawl.bench.run;

import io.trawl.bench.fleet.BenchFleet;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlDefinition.CrawlLimits;
import io.trawl.definition.CrawlDefinition.FetchRules;
import io.trawl.definition.CrawlDefinition.Scope;
import io.trawl.model.Seed;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The crawl definitions of the benchmarks. */
final class BenchCrawl {
    private BenchCrawl() {}

    /**
     * A crawl that owns a backlog: it fetches the loaded requests and follows no links.
     *
     * @param seed a seed at priority 0: every crawl needs one, and without a downloader it keeps the crawl from
     * finishing
     * @param domains the domains of later seeds
     */
    static CrawlDefinition over(String seed, List<String> domains, Duration delay) {
        return definition(List.of(Seed.of(BenchFleet.CRAWL, seed, Optional.of(0))), domains, 0, delay);
    }

    /** A crawl of the seeds, and of what is reachable from them if links are followed. */
    static CrawlDefinition of(TimedCrawls.Start start) {
        return definition(start.seeds().stream().map(url -> Seed.of(BenchFleet.CRAWL, url, Optional.empty())).toList(),
                List.of(), start.depth(), Duration.ZERO);
    }

    private static CrawlDefinition definition(List<Seed> seeds, List<String> domains, int depth, Duration delay) {
        return CrawlDefinition.of(seeds).with(crawl -> crawl.scope(Scope.DEFAULT.withDomains(domains))
                .limits(CrawlLimits.DEFAULT.withDepth(depth)).fetch(FetchRules.DEFAULT.withDelay(delay)));
    }
}
