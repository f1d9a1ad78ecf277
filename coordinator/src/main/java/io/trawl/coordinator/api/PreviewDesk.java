package io.trawl.coordinator.api;

import io.trawl.model.CrawlId;
import java.time.Duration;
import java.util.Optional;

/** Fetches and analyses one URL without touching any crawl; see {@link Desks} for what all calls have in common. */
public interface PreviewDesk {
    /**
     * What a URL gives now. Asked of any coordinator.
     *
     * @param crawl whose definition, domains and ledger hold; empty: a definition of defaults that accepts the URL's own domain
     * @param patience for how long the downloader may take, the host's pauses included
     * @throws io.trawl.model.InvalidValue if the URL is none that could be fetched
     * @throws io.trawl.coordinator.lifecycle.UnknownCrawl if there is no such crawl
     * @throws io.trawl.coordinator.workers.HostBusy if the host may not be asked in time
     * @throws io.trawl.coordinator.workers.NoWorker if no downloader answers
     */
    Preview preview(String url, Optional<CrawlId> crawl, Duration patience) throws InterruptedException;
}
