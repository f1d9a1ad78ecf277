package io.trawl.model;

/** The scope of politeness limits: its requests share one pause, one limit of requests in flight, and one partition. */
public enum PolitenessKey implements Choice {
    /** A host and port. */
    HOST,
    /** All hosts of a registered domain, on all ports. */
    DOMAIN,
    /** Within one downloader, all hosts that resolve to the same address; between processes, a host and port. */
    IP
}
