package io.trawl.coordinator.lifecycle;

import io.trawl.model.CrawlId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The progress of the admission of seeds during one term. Written by the leader's thread, read by any. */
public final class SeedProgress {
    private final Map<CrawlId, Long> requests = new ConcurrentHashMap<>();
    private volatile long admitted;

    /** The offset below which the admission or refusal of every seed is committed. */
    public long admitted() {
        return admitted;
    }

    /** Every seed below this offset is admitted or refused. */
    public void admittedBelow(long offset) {
        admitted = offset;
    }

    /** The number of requests that seeds have added to the crawl. */
    long requests(CrawlId crawl) {
        return requests.getOrDefault(crawl, 0L);
    }

    /** Adds requests of the crawl. */
    public void add(CrawlId crawl, int more) {
        requests.merge(crawl, (long) more, Long::sum);
    }

    /** Forgets a deleted crawl. */
    public void forget(CrawlId crawl) {
        requests.remove(crawl);
    }
}
