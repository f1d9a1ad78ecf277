package io.trawl.downloader.frontier.fairness;

/** The group of a host, by what its last exchanges showed. */
public enum HostGroup {
    /** It answers, its pages are new, or nothing is known. */
    CLEAN,
    /** Its last exchange ended without a status line. */
    SILENT,
    /** Its pages repeat each other: its requests come after those of clean hosts. */
    POSTPONED
}
