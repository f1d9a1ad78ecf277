package io.trawl.definition;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.trawl.model.InvalidValueException;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The types of events. */
public enum EventType {
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
    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '.');
    }

    /** @throws InvalidValueException if the word is unknown */
    @JsonCreator
    public static EventType of(String word) {
        return Arrays.stream(values()).filter(type -> type.word().equals(word)).findFirst()
                .orElseThrow(() -> new InvalidValueException("events", word,
                        "one of " + Arrays.stream(values()).map(EventType::word).collect(Collectors.joining(", "))));
    }
}
