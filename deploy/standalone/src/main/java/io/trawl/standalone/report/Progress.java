package io.trawl.standalone.report;

import io.trawl.coordinator.api.CrawlSummary;

/** Shows how far a crawl is. Used by one thread. */
public interface Progress extends AutoCloseable {
    /** A step before the crawl begins, in a few words. */
    void say(String step);

    /** Something to know, on a line that stays. */
    void note(String line);

    /** The crawl begins, or goes on, from here. */
    void begin(CrawlSummary summary);

    /** The crawl has come this far. */
    void show(CrawlSummary summary);

    /** Nothing more is shown; the terminal is free for other text. */
    @Override
    void close();

    /** Shows nothing. */
    static Progress none() {
        return new Progress() {
            @Override
            public void say(String step) {
                // Quiet.
            }

            @Override
            public void note(String line) {
                // Quiet.
            }

            @Override
            public void begin(CrawlSummary summary) {
                // Quiet.
            }

            @Override
            public void show(CrawlSummary summary) {
                // Quiet.
            }

            @Override
            public void close() {
                // Nothing to free.
            }
        };
    }
}
