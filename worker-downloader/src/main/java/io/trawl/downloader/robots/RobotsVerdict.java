package io.trawl.downloader.robots;

/** What a robots.txt says about one URL. */
public enum RobotsVerdict {
    /** The URL may be fetched. */
    ALLOWED,
    /** A rule forbids it. */
    FORBIDDEN,
    /** The rules could not be matched within the permitted number of steps. If no more steps are permitted, this forbids the URL. */
    TOO_COSTLY
}
