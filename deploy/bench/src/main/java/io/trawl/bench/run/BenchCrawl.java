package io.trawl.bench.run;

import io.trawl.control.CrawlDefinition;
import io.trawl.model.CrawlId;
import io.trawl.model.Seed;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The definitions of the crawls that benchmarks run. Pure. */
final class BenchCrawl {
    static final CrawlId ID = new CrawlId("bench");

    private BenchCrawl() {}

    /**
     * A crawl that owns a backlog: it fetches what is loaded and follows nothing.
     *
     * @param seed at priority 0: a crawl needs one, and as long as no downloader runs it keeps the crawl from being finished
     * @param domains of the seeds that are to come
     */
    static CrawlDefinition over(String seed, List<String> domains, Duration delay) {
        return definition(List.of(Seed.of(ID, seed, Optional.of(0))), domains, 0, delay);
    }

    /** A crawl of everything that the seeds lead to. */
    static CrawlDefinition of(List<String> seeds) {
        return definition(seeds.stream().map(url -> Seed.of(ID, url, Optional.empty())).toList(), List.of(), -1, Duration.ZERO);
    }

    private static CrawlDefinition definition(List<Seed> seeds, List<String> domains, int depth, Duration delay) {
        return CrawlDefinition.of(seeds).withDomains(domains).withDepth(depth).withDelay(delay);
    }
}
