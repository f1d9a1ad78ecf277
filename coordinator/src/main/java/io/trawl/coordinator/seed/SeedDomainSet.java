package io.trawl.coordinator.seed;

import io.trawl.model.CrawlRun;

/** The domains that runs accept for the seeds that were admitted before. For the leader's thread. */
public interface SeedDomainSet {
    /** The version of the set of a run. */
    long version(CrawlRun run);

    /** Whether a run accepts a domain. */
    boolean accepts(CrawlRun run, String domain);
}
