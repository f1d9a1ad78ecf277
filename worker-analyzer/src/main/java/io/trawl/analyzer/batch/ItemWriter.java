package io.trawl.analyzer.batch;

import io.trawl.codec.Codec;
import io.trawl.model.Item;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Turns items into records that the broker takes: one that is too large loses its text, then its links, then all it can, and says {@code "cut": true}. */
final class ItemWriter {
    private static final List<List<String>> IN_THIS_ORDER = List.of(List.of("text"), List.of("links"));
    private final String topic;
    private final int largest;

    /** @param largest bytes of a record's value */
    ItemWriter(String topic, int largest) {
        this.topic = topic;
        this.largest = largest;
    }

    ProducerRecord<byte[], byte[]> record(Item item) {
        byte[] value = Codec.encode(item);
        Map<String, Object> fields = new LinkedHashMap<>(item.fields());
        for (int step = 0; value.length > largest && step <= IN_THIS_ORDER.size(); step++) {
            if (step < IN_THIS_ORDER.size()) {
                IN_THIS_ORDER.get(step).forEach(fields::remove);
            } else {
                fields.keySet().retainAll(
                        List.of("status", "kind", "reason", "depth", "fetchedAt", "contentType", "noindex", "truncated"));
            }
            fields.put("cut", true);
            value = Codec.encode(new Item(item.id(), item.run(), item.kind(), item.url(), fields));
        }
        return new ProducerRecord<>(topic, item.id().getBytes(StandardCharsets.UTF_8), value);
    }
}
