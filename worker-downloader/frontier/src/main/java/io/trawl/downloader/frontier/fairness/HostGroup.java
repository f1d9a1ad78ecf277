package io.trawl.downloader.frontier.fairness;

/** The group of a host, by what its pages showed. */
public enum HostGroup {
    /** Its pages are new. */
    CLEAN,
    /** Its pages repeat each other: its requests come after those of clean hosts. */
    POSTPONED
}
