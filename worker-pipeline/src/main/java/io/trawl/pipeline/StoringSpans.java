package io.trawl.pipeline;

import io.trawl.model.Item;
import io.trawl.pipeline.process.ChainOutcome;
import io.trawl.trace.Span;
import io.trawl.trace.SpanName;
import io.trawl.trace.Tracer;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The pipeline's step of traces: from when an item is handled until its offset is committed, with its file finished. Belongs to the pipeline's thread. */
final class StoringSpans {
    private final Tracer tracer;
    private final Map<Integer, NavigableMap<Long, Span>> begun = new HashMap<>();

    StoringSpans(Tracer tracer) {
        this.tracer = tracer;
    }

    /** An item has passed the processors and, if it is to be, was written. */
    void handled(ConsumerRecord<byte[], byte[]> record, Item item, ChainOutcome outcome) {
        Span span = tracer.next(tracer.read(record.headers()), SpanName.STORING, item.run(), item.url());
        if (span != Span.NONE) {
            span.with("trawl.item", item.id()).with(Span.OUTCOME, switch (outcome) {
                case ChainOutcome.Passed _ -> "STORED";
                case ChainOutcome.Dropped _ -> "DROPPED";
                case ChainOutcome.Rejected _ -> "REJECTED";
            });
            begun.computeIfAbsent(record.partition(), partition -> new TreeMap<>()).put(record.offset(), span);
        }
    }

    /**
     * What is stored has ended; what belongs to partitions that are gone is left to their next owner.
     *
     * @param below by partition that is owned: everything below this offset is stored
     */
    void stored(Map<Integer, Long> below) {
        begun.keySet().retainAll(below.keySet());
        begun.forEach((partition, spans) -> {
            NavigableMap<Long, Span> done = spans.headMap(below.get(partition), false);
            done.values().forEach(Span::end);
            done.clear();
        });
    }
}
