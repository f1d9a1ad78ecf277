package io.trawl.channel;

import io.trawl.model.CrawlerError;

/**
 * Reports errors (S9). Never blocks and never throws: errors that cannot be written are counted and dropped.
 * Thread-safe.
 */
public interface ErrorChannel {
    /** Queues an error for writing. */
    void report(CrawlerError error);
}
