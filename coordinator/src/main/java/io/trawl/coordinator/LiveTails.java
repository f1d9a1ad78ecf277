package io.trawl.coordinator;

import io.trawl.coordinator.api.ErrorDesk;
import io.trawl.coordinator.api.EventDesk;
import io.trawl.coordinator.errors.ErrorFilter;
import io.trawl.coordinator.errors.SeenError;
import io.trawl.coordinator.events.CrawlEvent;
import io.trawl.coordinator.tail.Entry;
import io.trawl.coordinator.tail.Feed;
import io.trawl.coordinator.tail.TopicTail;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlerError;
import io.trawl.worker.WorkerContext;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import java.util.List;
import java.util.Optional;

/** The ends of the topics that are for people: errors and events. Every coordinator reads them by itself. Thread-safe. */
final class LiveTails implements ErrorDesk, EventDesk, AutoCloseable {
    private static final int ERRORS = 10_000;
    private static final int EVENTS = 2_000;
    private final TopicTail<CrawlerError> errors;
    private final TopicTail<CrawlEvent> events;

    LiveTails(WorkerContext context) {
        errors = new TopicTail<>(() -> context.kafka().reader("errors-tail-" + context.mid()), context.topics().errors(), ERRORS,
                SeenError::read, context.time(), context.failures());
        events = new TopicTail<>(() -> context.kafka().reader("events-tail-" + context.mid()), context.topics().events(), EVENTS,
                CrawlEvent::read, context.time(), context.failures());
        Gauge.builder("trawl.coordinator.streams", errors, TopicTail::subscribers)
                .description("Clients that follow the errors now").register(context.meters());
        FunctionCounter.builder("trawl.coordinator.streams.lost", errors, TopicTail::lost)
                .description("Clients that were too slow to follow, and were let go").register(context.meters());
    }

    void start() {
        errors.start();
        events.start();
    }

    @Override
    public List<Entry<CrawlerError>> errors(ErrorFilter wanted) {
        return errors.entries(wanted);
    }

    @Override
    public Feed<CrawlerError> follow(ErrorFilter wanted, Optional<String> after) {
        return errors.subscribe(after, wanted);
    }

    @Override
    public List<CrawlEvent> events(Optional<CrawlId> crawl) {
        return events.entries(event -> crawl.isEmpty() || crawl.get().equals(event.crawl())).stream().map(Entry::value).toList();
    }

    @Override
    public void close() {
        errors.close();
        events.close();
    }
}
