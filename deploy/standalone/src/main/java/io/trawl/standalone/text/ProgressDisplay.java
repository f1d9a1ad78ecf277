package io.trawl.standalone.text;

import io.trawl.coordinator.summary.CrawlSummary;

/** Shows how far a crawl has come. Used by one thread. */
public interface ProgressDisplay extends AutoCloseable {
    /** A step before the crawl begins, in a few words. */
    void say(String step);

    /** Something to know, on a line that stays. */
    void note(String line);

    /** The crawl begins or resumes from here. */
    void begin(CrawlSummary summary);

    /** The crawl has come this far. */
    void show(CrawlSummary summary);

    /** Nothing more is shown; the terminal is free for other text. */
    @Override
    void close();

    /** Shows nothing. */
    static ProgressDisplay none() {
        return new ProgressDisplay() {
            @Override
            public void say(String step) {}

            @Override
            public void note(String line) {}

            @Override
            public void begin(CrawlSummary summary) {}

            @Override
            public void show(CrawlSummary summary) {}

            @Override
            public void close() {}
        };
    }
}
