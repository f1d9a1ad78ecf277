package io.trawl.coordinator.feed;

import io.trawl.codec.Json;
import io.trawl.control.ControlRecord;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Deleted;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.CrawlState;
import io.trawl.http.Caller;
import io.trawl.definition.EventType;
import io.trawl.coordinator.summary.Totals;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Derives events from control records: one from each change of a crawl's state, except for transient states that
 * announce no event. Thread-safe.
 *
 * @param topic of the events
 * @param known looks up the status of a crawl before the records
 * @param totals of a run
 * @param written is told of every event once it is committed
 */
public record EventSource(String topic, Function<CrawlId, Optional<CrawlStatus>> known,
        Function<CrawlRun, Totals> totals, Consumer<CrawlEvent> written, Time time) {
    /** The events of one transaction: only the last of several records of a crawl counts. */
    public List<CrawlEvent> of(List<? extends ControlRecord> records) {
        Map<CrawlId, CrawlStatus> last = new LinkedHashMap<>();
        for (ControlRecord record : records) {
            if (record instanceof CrawlStatus status) {
                last.put(status.run().crawl(), status);
            }
        }
        Stream<CrawlEvent> gone = records.stream().filter(Deleted.class::isInstance).map(Deleted.class::cast)
                .flatMap(deleted -> known.apply(deleted.run().crawl()).stream()).map(this::deleted);
        Stream<CrawlEvent> moved = last.values().stream().filter(this::moves)
                .flatMap(s -> type(s).stream().map(type -> event(type, s)));
        Stream<CrawlEvent> changed = last.values().stream().filter(s -> !moves(s)).filter(this::redefines)
                .map(s -> event(EventType.CRAWL_CHANGED, s));
        Stream<CrawlEvent> domains = records.stream().filter(Domains.class::isInstance)
                .map(r -> ((Domains) r).run().crawl()).filter(crawl -> !last.containsKey(crawl))
                .flatMap(crawl -> known.apply(crawl).stream()).map(s -> event(EventType.CRAWL_CHANGED, s));
        return Stream.of(gone, moved, changed, domains).flatMap(events -> events).toList();
    }

    /** The transaction with these events is committed. */
    public void committed(List<CrawlEvent> events) {
        events.forEach(written);
    }

    private boolean redefines(CrawlStatus next) {
        return known.apply(next.run().crawl()).filter(now -> !now.definition().equals(next.definition())).isPresent();
    }

    private boolean moves(CrawlStatus next) {
        return known.apply(next.run().crawl())
                .filter(now -> now.run().equals(next.run()) && now.state() == next.state()).isEmpty();
    }

    private static Optional<EventType> type(CrawlStatus status) {
        return switch (status.state()) {
            case INITIALIZED -> Optional.of(EventType.CRAWL_INITIALIZED);
            case STARTED -> Optional.of(EventType.CRAWL_STARTED);
            case STOPPING -> Optional.of(EventType.CRAWL_STOPPING);
            case STOPPED -> Optional.of(status.finished() ? EventType.CRAWL_FINISHED : EventType.CRAWL_STOPPED);
            case UNINITIALIZED, INITIALIZING, STARTING -> Optional.empty();
        };
    }

    private CrawlEvent deleted(CrawlStatus last) {
        return new CrawlEvent(UUID.randomUUID().toString(), time.now(), EventType.CRAWL_DELETED.word(),
                last.run().crawl(), last.run().epoch(), CrawlState.UNINITIALIZED, Optional.empty(), false,
                last.startedAt(), Optional.empty(), last.refreshed().map(CrawlRun::epoch), by());
    }

    private CrawlEvent event(EventType type, CrawlStatus s) {
        boolean rests = s.state() == CrawlState.STOPPED;
        return new CrawlEvent(UUID.randomUUID().toString(), time.now(), type.word(), s.run().crawl(), s.run().epoch(),
                s.state(), s.end().map(End::reason), s.end().filter(End::failed).isPresent(), s.startedAt(),
                rests ? Optional.of(totals.apply(s.run())) : Optional.empty(), s.refreshed().map(CrawlRun::epoch),
                by());
    }

    private static Optional<String> by() {
        return Caller.current().map(Caller::name);
    }

    /** Its record. */
    public ProducerRecord<byte[], byte[]> record(CrawlEvent event) {
        return new ProducerRecord<>(topic, event.crawl().value().getBytes(StandardCharsets.UTF_8), Json.bytes(event));
    }
}
