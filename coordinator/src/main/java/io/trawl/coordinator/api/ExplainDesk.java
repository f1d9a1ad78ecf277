package io.trawl.coordinator.api;

import io.trawl.model.CrawlId;
import java.util.Optional;

/** Tells where a URL or a host stands, and why; see {@link Desks} for what all calls have in common. */
public interface ExplainDesk {
    /**
     * The story of a URL. Asked of any coordinator. Servers that do not answer make the story shorter, and are named in it.
     *
     * @param crawl which crawl; empty: the one that accepts the URL's domain
     * @throws io.trawl.model.InvalidValue if no crawl is named, and none or several accept the domain
     * @throws io.trawl.coordinator.lifecycle.UnknownCrawl if there is no such crawl
     */
    Explanation url(Optional<CrawlId> crawl, String url) throws InterruptedException;

    /**
     * The story of a host, in the same way.
     *
     * @param host with or without a port; without one it is 443, or 80 if only that one is known
     */
    Explanation host(Optional<CrawlId> crawl, String host) throws InterruptedException;
}
