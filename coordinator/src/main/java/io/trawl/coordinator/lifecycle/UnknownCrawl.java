package io.trawl.coordinator.lifecycle;

import io.trawl.model.CrawlId;

/** There is no such crawl. */
public final class UnknownCrawl extends RuntimeException {
    /** @param crawl the id that nobody has defined */
    public UnknownCrawl(CrawlId crawl) {
        super("there is no crawl " + crawl);
    }
}
