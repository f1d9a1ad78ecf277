package io.trawl.log;

/**
 * The keys of a JSON line of the log that say what it is about, the only place that names them. A line about a crawl or a URL adds them to its event
 * ({@code LOG.atWarn().addKeyValue(LogKeys.CRAWL, crawl)}) and says the same in its message.
 */
public final class LogKeys {
    /** The process: in every line from when it has one. */
    public static final String MID = "mid";
    /** The id of a crawl. */
    public static final String CRAWL = "crawl";
    /** A URL. */
    public static final String URL = "url";

    private LogKeys() {}
}
