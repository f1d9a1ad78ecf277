package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;

/** Why a URL did not become a request, or a request was not fetched. Each is counted per crawl. */
public enum RefusalReason {
    /** No URL was given. */
    NO_URL,
    /** The URL cannot be parsed, or is longer than allowed. */
    BAD_URL,
    /** The scheme is neither http nor https. */
    SCHEME,
    /** The primary domain is not accepted by the crawl. */
    DOMAIN,
    /** Deeper than the crawl's limit. */
    DEPTH,
    /** Deeper than the crawl allows for a pattern that it matches. */
    PATTERN_DEPTH,
    /** A pattern of the crawl excludes it. */
    EXCLUDED,
    /** The crawl names what it includes, and this is none of it. */
    NOT_INCLUDED,
    /** Files with its ending are skipped. */
    ENDING,
    /** The crawl does not take its media type. */
    MEDIA_TYPE,
    /** Its text is in none of the languages that the crawl takes. */
    LANGUAGE,
    /** A request at this depth or less is already known. */
    SEEN,
    /** The link says {@code rel=nofollow}, or the page forbids following by its robots meta element or header. */
    NOFOLLOW,
    /** robots.txt forbids it. */
    ROBOTS,
    /** The budget of its host, or of a pattern that it matches, is used up in the run. */
    BUDGET,
    /** The address is private, loopback or otherwise not allowed by the operator. */
    ADDRESS,
    /** The crawl does not exist. */
    UNKNOWN_CRAWL,
    /** The crawl or its run is over. */
    CRAWL_OVER,
    /** The crawl is closed: it gets no new request until it is started again. */
    CLOSED,
    /** The priority is not one of the deployment's levels (S1). */
    PRIORITY_OUT_OF_INDEX,
    /** The level's backlog is at its capacity (S1). */
    CHANNEL_FULL,
    /** The record cannot be decoded. */
    MALFORMED,
    /** A reason that only a newer version knows: an older version counts the refusal, or a crawl would never finish. */
    @JsonEnumDefaultValue
    OTHER
}
