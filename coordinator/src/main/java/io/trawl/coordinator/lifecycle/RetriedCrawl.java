package io.trawl.coordinator.lifecycle;

import io.trawl.model.CrawlId;

/**
 * A crawl that fetches failed URLs again.
 *
 * @param crawl the new crawl, which is started
 * @param of the crawl whose URLs failed
 * @param urls how many URLs it fetches
 */
public record RetriedCrawl(CrawlId crawl, CrawlId of, long urls) {}
