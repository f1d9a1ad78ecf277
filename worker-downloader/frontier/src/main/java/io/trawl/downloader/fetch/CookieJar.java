package io.trawl.downloader.fetch;

import java.util.List;

/** The cookies of one host and port. Thread-safe. */
public interface CookieJar {
    /**
     * Takes what an answer sets. A line that is malformed, or not for its URL, is ignored.
     *
     * @param url that was asked
     * @param lines the values of its headers {@code Set-Cookie}
     */
    void take(String url, List<String> lines);

    /** {@code name=value} of each cookie for a URL, those of longer paths first. */
    List<String> pairs(String url);
}
