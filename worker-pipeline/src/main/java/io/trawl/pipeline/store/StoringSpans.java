package io.trawl.pipeline.store;

import io.opentelemetry.api.trace.Span;
import io.trawl.api.Item;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.process.ChainOutcome;
import io.trawl.telemetry.Tracing;
import io.trawl.telemetry.Tracing.SpanStep;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The pipeline's trace spans: each lasts from the handling of an item until its file is finished and its offset is
 * committed. Confined to the pipeline's thread.
 */
public final class StoringSpans {
    private final Tracing tracing;
    private final Map<Integer, NavigableMap<Long, Span>> started = new HashMap<>();

    /** @param tracing where spans go */
    public StoringSpans(Tracing tracing) {
        this.tracing = tracing;
    }

    /** Starts the span of an item that has passed the processors and, unless dropped, was written. */
    void handled(ConsumerRecord<byte[], byte[]> record, CrawlRun run, Item item, ChainOutcome outcome) {
        Span span = tracing.step(tracing.read(record.headers()), SpanStep.STORING, run, item.url());
        if (span.getSpanContext().isValid()) {
            span.setAttribute("trawl.item", item.id()).setAttribute(Tracing.OUTCOME, switch (outcome) {
                case ChainOutcome.PassedItem _ -> "STORED";
                case ChainOutcome.DroppedItem _ -> "DROPPED";
                case ChainOutcome.RejectedItem _ -> "REJECTED";
            });
            started.computeIfAbsent(record.partition(), partition -> new TreeMap<>()).put(record.offset(), span);
        }
    }

    /**
     * Ends the spans of stored items, and discards those of partitions that this process no longer owns.
     *
     * @param below by owned partition, the offset below which everything is stored
     */
    void stored(Map<Integer, Long> below) {
        started.keySet().retainAll(below.keySet());
        started.forEach((partition, spans) -> {
            NavigableMap<Long, Span> done = spans.headMap(below.get(partition), false);
            done.values().forEach(Span::end);
            done.clear();
        });
    }
}
