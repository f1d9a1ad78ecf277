package io.trawl.bench.web;

import io.trawl.testkit.web.WebPages;
import io.trawl.testkit.web.WebResponse;
import io.trawl.time.Time;
import java.time.Duration;

/**
 * Counts pages and notes when the first and the last were asked for, and tells at {@link #PATH}. Used by the thread of
 * the server alone.
 */
public final class TimedPages implements WebPages {
    /** Answers {@code first last pages}, the times in milliseconds since 1970; not itself a page. */
    public static final String PATH = "/-/times";
    private static final String ROBOTS = "/robots.txt";
    private final WebPages pages;
    private final Time time;
    private long first;
    private long last;
    private long asked;

    /** Wraps pages. */
    public TimedPages(WebPages pages, Time time) {
        this.pages = pages;
        this.time = time;
    }

    @Override
    public WebResponse answer(int host, String path) {
        if (path.equals(PATH)) {
            return WebResponse.page(first + " " + last + " " + asked, Duration.ZERO);
        }
        if (!path.equals(ROBOTS)) {
            last = time.now().toEpochMilli();
            first = first == 0 ? last : first;
            asked++;
        }
        return pages.answer(host, path);
    }
}
