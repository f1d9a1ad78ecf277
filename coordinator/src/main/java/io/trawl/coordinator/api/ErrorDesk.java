package io.trawl.coordinator.api;

import io.trawl.coordinator.errors.ErrorFilter;
import io.trawl.coordinator.tail.Entry;
import io.trawl.coordinator.tail.Feed;
import io.trawl.model.CrawlerError;
import java.util.List;
import java.util.Optional;

/** Knows the last errors of the deployment. Every coordinator does. */
public interface ErrorDesk {
    /** The last errors that are wanted, newest first. */
    List<Entry<CrawlerError>> errors(ErrorFilter wanted);

    /**
     * Subscribes to the errors that come.
     *
     * @param after the id of the last error seen: those behind it that are still kept come first
     */
    Feed<CrawlerError> follow(ErrorFilter wanted, Optional<String> after);
}
