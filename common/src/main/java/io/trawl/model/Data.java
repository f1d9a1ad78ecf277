package io.trawl.model;

/** What flows between the stages: a closed set, so that the compiler finds every switch that forgets a kind. */
public sealed interface Data permits Request, Response, Item {
    /** The run of the crawl that this belongs to. */
    CrawlRun run();

    /** The normalised absolute URL that this is about. */
    String url();
}
