package io.trawl.coordinator.probe;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlView;
import io.trawl.coordinator.lifecycle.UnknownCrawl;
import io.trawl.model.CrawlId;
import java.util.Optional;

/** Crawls as any coordinator knows them. */
final class Known {
    private Known() {}

    /** The status of a crawl; what is unknown is asked for once more. @throws UnknownCrawl if there is none */
    static CrawlStatus crawl(ControlView control, CrawlId crawl) throws InterruptedException {
        Optional<CrawlStatus> status = control.crawl(crawl);
        if (status.isEmpty()) {
            control.refresh();
            status = control.crawl(crawl);
        }
        return status.orElseThrow(() -> new UnknownCrawl(crawl));
    }
}
