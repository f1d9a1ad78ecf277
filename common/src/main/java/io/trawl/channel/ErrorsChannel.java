package io.trawl.channel;

import io.trawl.model.CrawlerError;

/** Where errors are reported (S9). Never blocks and never throws: what cannot be written is counted and dropped. Thread-safe. */
public interface ErrorsChannel {
    /** Hands an error over. */
    void report(CrawlerError error);
}
