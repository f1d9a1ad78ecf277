package io.trawl.api.render;

/** Why a rendered page did not get what it asked for. */
public enum SubrequestRefusal {
    /** It is of another server than the page, whose turn may belong to another downloader. */
    SERVER,
    /** It is no GET. */
    METHOD,
    /** Its kind is not served: images, style sheets, fonts, media and the like. */
    TYPE,
    /** The page would have gone to another URL by a script: what it is now is read. */
    NAVIGATION,
    /** The server's robots.txt forbids it. */
    ROBOTS,
    /** The page has asked for too much: requests, bytes, requests at a time, or the length of a URL. */
    LIMIT,
    /** The time of the page was over. */
    TIME,
    /** It was sent and got no answer, or the server had asked for a pause. */
    FAILED
}
