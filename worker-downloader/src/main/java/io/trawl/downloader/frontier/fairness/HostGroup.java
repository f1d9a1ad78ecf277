package io.trawl.downloader.frontier.fairness;

/** The group of a host, by what its last exchanges showed. */
public enum HostGroup {
    /** It has answered, and its pages are new. */
    CLEAN,
    /** No exchange with it has ended yet, so it may be silent. */
    UNPROVEN,
    /** Its last exchange ended without a status line. */
    SILENT,
    /** Its pages repeat each other: its requests come after those of clean hosts. */
    POSTPONED
}
