package io.trawl.coordinator.api;

import io.trawl.model.CrawlId;
import java.util.List;

/** The domains that crawls accept; see {@link Desks} for what all calls have in common. */
public interface DomainDesk {
    /**
     * What a crawl accepts.
     *
     * @param version grows with each change
     * @param domains in alphabetical order
     */
    record DomainSet(long version, List<String> domains) {}

    /** @throws io.trawl.coordinator.lifecycle.UnknownCrawl if there is no such crawl */
    DomainSet domains(CrawlId crawl) throws InterruptedException;

    /** Adds a domain, unless it is there. Leader only. */
    DomainSet add(CrawlId crawl, String name) throws InterruptedException;

    /** Removes a domain, if it is there and not the last. Leader only. */
    DomainSet remove(CrawlId crawl, String name) throws InterruptedException;
}
