package io.trawl.channel;

import io.trawl.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Finds single records for people, each time with a reader of its own, and never reads for long. Thread-safe; calls block. */
public final class RecordLookup {
    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final Duration POLL = Duration.ofMillis(100);
    private final Supplier<Consumer<byte[], byte[]>> readers;
    private final Time time;

    /** @param readers make readers without a group */
    public RecordLookup(Supplier<Consumer<byte[], byte[]>> readers, Time time) {
        this.readers = readers;
        this.time = time;
    }

    /**
     * A search.
     *
     * @param found the record, if it was found
     * @param complete whether all was read that stood there; else the time was over before
     */
    public record Found(Optional<ConsumerRecord<byte[], byte[]>> found, boolean complete) {
        private static final Found NOTHING = new Found(Optional.empty(), true);
    }

    /** The record at an offset. @throws KafkaException if the broker does not answer */
    public Optional<ConsumerRecord<byte[], byte[]>> at(String topic, int partition, long offset) {
        return search(topic, List.of(partition), Map.of(partition, offset), r -> r.offset() >= offset).found()
                .filter(r -> r.offset() == offset);
    }

    /**
     * The first record of a key that matches, among those that a producer writes to the partition of that key.
     *
     * @throws KafkaException if the broker does not answer
     */
    public Found keyed(String topic, byte[] key, Map<Integer, Long> from, Predicate<ConsumerRecord<byte[], byte[]>> match) {
        try (Consumer<byte[], byte[]> reader = readers.get()) {
            return search(reader, topic, List.of(partition(reader, topic, key)), from, match);
        }
    }

    /** The number of the partition of a key in a topic. @throws KafkaException if the broker does not answer */
    public int partition(String topic, byte[] key) {
        try (Consumer<byte[], byte[]> reader = readers.get()) {
            return partition(reader, topic, key);
        }
    }

    private static int partition(Consumer<byte[], byte[]> reader, String topic, byte[] key) {
        return BuiltInPartitioner.partitionForKey(key, reader.partitionsFor(topic, LIMIT).size());
    }

    /** The first record that matches, of those from the given offsets on; from the beginning where none is given. */
    public Found search(String topic, List<Integer> partitions, Map<Integer, Long> from,
            Predicate<ConsumerRecord<byte[], byte[]>> match) {
        try (Consumer<byte[], byte[]> reader = readers.get()) {
            return search(reader, topic, partitions, from, match);
        }
    }

    private Found search(Consumer<byte[], byte[]> reader, String topic, List<Integer> partitions, Map<Integer, Long> from,
            Predicate<ConsumerRecord<byte[], byte[]>> match) {
        List<TopicPartition> all = partitions.stream().map(p -> new TopicPartition(topic, p)).toList();
        reader.assign(all);
        Map<TopicPartition, Long> begins = reader.beginningOffsets(all, LIMIT);
        Map<TopicPartition, Long> ends = reader.endOffsets(all, LIMIT);
        all.forEach(p -> reader.seek(p, Math.clamp(from.getOrDefault(p.partition(), 0L), begins.get(p), ends.get(p))));
        long last = time.nanos() + LIMIT.toNanos();
        while (all.stream().anyMatch(p -> reader.position(p, LIMIT) < ends.get(p))) {
            for (ConsumerRecord<byte[], byte[]> record : reader.poll(POLL)) {
                if (match.test(record)) {
                    return new Found(Optional.of(record), true);
                }
            }
            if (time.nanos() - last >= 0) {
                return new Found(Optional.empty(), false);
            }
        }
        return Found.NOTHING;
    }
}
