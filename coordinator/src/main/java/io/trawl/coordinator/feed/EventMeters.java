package io.trawl.coordinator.feed;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.trawl.definition.EventType;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Counts the events that this coordinator has written, by type. Thread-safe. */
public final class EventMeters implements Consumer<CrawlEvent> {
    private final Map<String, Counter> counters;

    /** Registers all types at once, so that the first event of a type is an increase. */
    public EventMeters(MeterRegistry meters) {
        this.counters = EventType.OF_CRAWLS.stream()
                .collect(Collectors.toMap(EventType::word,
                        type -> Counter.builder("trawl.coordinator.events")
                                .description("Events of crawls that this coordinator has written")
                                .tag("type", type.word()).register(meters)));
    }

    @Override
    public void accept(CrawlEvent event) {
        Optional.ofNullable(counters.get(event.type())).ifPresent(Counter::increment);
    }
}
