package io.trawl.definition;

import io.trawl.model.Choice;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** The types of events. */
public enum EventType implements Choice {
    /** A new run is defined, and its seeds are written. */
    CRAWL_INITIALIZED,
    /** The run was started, for the first time or again. */
    CRAWL_STARTED,
    /** The crawl is being stopped: downloaded responses are still analysed and stored. */
    CRAWL_STOPPING,
    /** The crawl is stopped and not finished. */
    CRAWL_STOPPED,
    /** Every reachable page is stored; at most once for each start. */
    CRAWL_FINISHED,
    /** Its definition or its domains were changed, and it is in the same state as before. */
    CRAWL_CHANGED,
    /** The crawl is deleted. */
    CRAWL_DELETED,
    /** A refresh tells the change of an item. */
    PAGE_CHANGED;

    /** Those of a change of a crawl's state or definition. */
    public static final Set<EventType> OF_CRAWLS = Collections
            .unmodifiableSet(EnumSet.complementOf(EnumSet.of(PAGE_CHANGED)));

    /** The name in an event: {@code crawl.finished}. */
    @Override
    public String word() {
        return Choice.super.word().replace('_', '.');
    }
}
