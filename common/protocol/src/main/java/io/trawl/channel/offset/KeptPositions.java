package io.trawl.channel.offset;

import static java.util.Objects.requireNonNull;

import io.trawl.codec.Codec;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The committed offsets of groups on the topic {@code positions}, each written in the transaction that commits it. A
 * broker forgets the offsets of a group that had no members for a week, and then a group would begin at the earliest
 * record, whose output exists already. Thread-safe.
 *
 * @param topic {@code positions}
 * @param readers creates readers without a group
 * @param admins creates clients for the end of the topic
 */
public record KeptPositions(String topic, Supplier<Consumer<byte[], byte[]>> readers, Supplier<Admin> admins) {
    private static final Logger LOG = LoggerFactory.getLogger(KeptPositions.class);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(100);

    private record Position(int schema, long offset, String metadata) {}

    /** The records of committed offsets, for the transaction that commits them. */
    public List<ProducerRecord<byte[], byte[]>> records(String group,
            Map<TopicPartition, OffsetAndMetadata> committed) {
        return committed.entrySet().stream().map(offset -> new ProducerRecord<>(topic, key(group, offset.getKey()),

                Json.bytes(new Position(Codec.SCHEMA, offset.getValue().offset(), offset.getValue().metadata()))))
                .toList();
    }

    /**
     * The offsets that a group has committed, for those of these partitions that have any.
     *
     * @throws org.apache.kafka.common.errors.TimeoutException if the broker does not answer, or a transaction is open
     * for longer than five seconds
     */
    public Map<TopicPartition, OffsetAndMetadata> of(String group, Collection<TopicPartition> partitions) {
        if (partitions.isEmpty()) {
            return Map.of();
        }
        Map<String, TopicPartition> wanted = partitions.stream().collect(
                Collectors.toMap(partition -> new String(key(group, partition), StandardCharsets.UTF_8), p -> p));
        Map<TopicPartition, OffsetAndMetadata> found = new HashMap<>();
        TopicPartition all = new TopicPartition(topic, 0);
        long end = end(all);
        try (Consumer<byte[], byte[]> reader = readers.get()) {
            reader.assign(List.of(all));
            reader.seekToBeginning(List.of(all));
            int quiet = 0;
            for (long at = reader.position(all, ANSWER); at < end;) {
                reader.poll(POLL).forEach(record -> read(record, wanted, found));
                long next = reader.position(all, ANSWER);
                quiet = next > at ? 0 : quiet + 1;
                at = next;
                if (POLL.multipliedBy(quiet).compareTo(ANSWER) >= 0) {
                    throw new TimeoutException(topic + " cannot be read to its end now: a transaction is open");
                }
            }
        }
        if (!found.isEmpty()) {
            LOG.warn("the broker has forgotten the offsets of the group {}, which begins where it had come to: {}",
                    group, found);
        }
        return found;
    }

    private long end(TopicPartition all) {
        try (TopicOffsets offsets = new TopicOffsets(admins.get())) {
            return offsets.ends(List.of(topic)).getOrDefault(all, 0L);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private static void read(ConsumerRecord<byte[], byte[]> record, Map<String, TopicPartition> wanted,
            Map<TopicPartition, OffsetAndMetadata> found) {
        if (record.key() == null || !wanted.containsKey(new String(record.key(), StandardCharsets.UTF_8))) {
            return;
        }
        TopicPartition partition = requireNonNull(wanted.get(new String(record.key(), StandardCharsets.UTF_8)));
        try {
            Position kept = Json.read(record.value(), Position.class);
            found.put(partition, new OffsetAndMetadata(kept.offset(), kept.metadata()));
        } catch (MalformedRecordException e) {
            LOG.warn("skipping the record in {} at offset {}: {}", record.topic(), record.offset(), e.getMessage());
        }
    }

    private static byte[] key(String group, TopicPartition partition) {
        return (group + "/" + partition.topic() + "/" + partition.partition()).getBytes(StandardCharsets.UTF_8);
    }
}
