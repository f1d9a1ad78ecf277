package io.trawl.coordinator.topic;

import static java.util.Objects.requireNonNull;

import io.trawl.channel.PartitionCounts;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds single records for display, each time with a new reader and a time limit. Thread-safe; calls block.
 *
 * @param readers creates readers without a group
 */
public record RecordLookup(Supplier<Consumer<byte[], byte[]>> readers, PartitionCounts counts, Time time) {
    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final Duration POLL = Duration.ofMillis(100);

    /**
     * The result of a search.
     *
     * @param found the record, if it was found
     * @param complete whether the whole range was read; false if the time limit was reached first
     */
    public record FoundRecord(Optional<ConsumerRecord<byte[], byte[]>> found, boolean complete) {
        private static final FoundRecord NOTHING = new FoundRecord(Optional.empty(), true);
    }

    /** The record at an offset. @throws KafkaException if the broker does not answer */
    public Optional<ConsumerRecord<byte[], byte[]>> at(String topic, int partition, long offset) {
        return search(topic, List.of(partition), Map.of(partition, offset), r -> r.offset() >= offset).found()
                .filter(r -> r.offset() == offset);
    }

    /**
     * The first record of a key that matches, among those that a producer writes, or wrote, to the partition of that
     * key.
     *
     * @throws KafkaException if the broker does not answer
     */
    public FoundRecord keyed(String topic, byte[] key, Map<Integer, Long> from,
            Predicate<ConsumerRecord<byte[], byte[]>> match) {
        try (Consumer<byte[], byte[]> reader = readers.get()) {
            return search(reader, topic, partitions(reader, topic, key), from, match);
        }
    }

    /**
     * The partitions of a topic in which records of a key may be, those written last first. @throws KafkaException if
     * the broker does not answer
     */
    public List<Integer> partitions(String topic, byte[] key) {
        try (Consumer<byte[], byte[]> reader = readers.get()) {
            return partitions(reader, topic, key);
        }
    }

    private List<Integer> partitions(Consumer<byte[], byte[]> reader, String topic, byte[] key) {
        return counts.partitions(topic, key, reader.partitionsFor(topic, LIMIT).size());
    }

    /** The first record that matches, at or after the given offsets; from the beginning where none is given. */
    public FoundRecord search(String topic, List<Integer> partitions, Map<Integer, Long> from,
            Predicate<ConsumerRecord<byte[], byte[]>> match) {
        try (Consumer<byte[], byte[]> reader = readers.get()) {
            return search(reader, topic, partitions, from, match);
        }
    }

    private FoundRecord search(Consumer<byte[], byte[]> reader, String topic, List<Integer> partitions,
            Map<Integer, Long> from, Predicate<ConsumerRecord<byte[], byte[]>> match) {
        List<TopicPartition> all = partitions.stream().map(p -> new TopicPartition(topic, p)).toList();
        reader.assign(all);
        Map<TopicPartition, Long> begins = reader.beginningOffsets(all, LIMIT);
        Map<TopicPartition, Long> ends = reader.endOffsets(all, LIMIT);
        all.forEach(p -> reader.seek(p, Math.clamp(from.getOrDefault(p.partition(), 0L), requireNonNull(begins.get(p)),
                requireNonNull(ends.get(p)))));
        long last = time.nanos() + LIMIT.toNanos();
        while (all.stream().anyMatch(p -> reader.position(p, LIMIT) < requireNonNull(ends.get(p)))) {
            for (ConsumerRecord<byte[], byte[]> record : reader.poll(POLL)) {
                if (match.test(record)) {
                    return new FoundRecord(Optional.of(record), true);
                }
            }
            if (time.nanos() - last >= 0) {
                return new FoundRecord(Optional.empty(), false);
            }
        }
        return FoundRecord.NOTHING;
    }
}
