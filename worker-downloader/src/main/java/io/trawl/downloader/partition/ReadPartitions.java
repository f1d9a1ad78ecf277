package io.trawl.downloader.partition;

import io.trawl.channel.GroupMembership;
import io.trawl.downloader.frontier.FrontierSettings.QueueKeys;
import io.trawl.downloader.frontier.queue.AssignedPartitions.Mark;
import io.trawl.downloader.frontier.queue.DeliveredRecord;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.downloader.partition.PartitionTakeover.Ready;
import io.trawl.downloader.partition.PartitionTakeover.StartOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import io.trawl.telemetry.Tracing;

/**
 * The request partitions that are served, each with the position up to which its records are delivered and the
 * low-water mark that is committed. Belongs to the reading thread.
 */
final class ReadPartitions {
    private static final Logger LOG = LoggerFactory.getLogger(ReadPartitions.class);
    private final Consumer<byte[], byte[]> consumer;
    private final RequestTopics topics;
    private final QueueKeys keys;
    private final FrontierLoop frontier;
    private final Tracing tracing;
    private final Map<TopicPartition, PartitionReader> served = new HashMap<>();
    private long numbers;

    ReadPartitions(Consumer<byte[], byte[]> consumer, RequestTopics topics, QueueKeys keys, FrontierLoop frontier,
            Tracing tracing) {
        this.consumer = consumer;
        this.topics = topics;
        this.keys = keys;
        this.frontier = frontier;
        this.tracing = tracing;
    }

    int size() {
        return served.size();
    }

    /** Whether a partition number is served. */
    boolean has(int number) {
        return served.containsKey(topics.all(number).getFirst());
    }

    /** Serves a partition number that is taken over, unless this member has lost it. */
    boolean add(Ready done) {
        if (!GroupMembership
                .whileMember(() -> done.points().forEach(point -> consumer.seek(point.partition(), point.offset())))) {
            return false;
        }
        for (StartOffset point : done.points()) {
            RequestPartition requestPartition = topics.requestPartition(point.partition());
            PartitionReader partitionReader = new PartitionReader(requestPartition, point.partition(), ++numbers,
                    point.offset(), point.answered());
            served.put(point.partition(), partitionReader);
            frontier.send((f, now) -> f.assigned(requestPartition, partitionReader.assignment(), point.offset()));
        }
        return true;
    }

    /** Serves partition numbers no longer. */
    void remove(Set<Integer> goneNumbers) {
        goneNumbers.forEach(k -> topics.all(k).forEach(served::remove));
    }

    /** All below a mark is answered. */
    void low(RequestPartition requestPartition, Mark mark) {
        PartitionReader partitionReader = served.get(topics.partition(requestPartition));
        if (partitionReader != null && partitionReader.assignment() == mark.assignment()) {
            partitionReader.low(mark.offset());
        }
    }

    /** Reads on from a mark. No record from there on has been deleted, since the low-water mark has not passed it. */
    void reread(RequestPartition requestPartition, Mark from) {
        PartitionReader partitionReader = served.get(topics.partition(requestPartition));
        if (partitionReader != null && partitionReader.assignment() == from.assignment()
                && from.offset() < partitionReader.position()
                && GroupMembership.whileMember(() -> consumer.seek(partitionReader.partition(), from.offset()))) {
            partitionReader.back(from.offset());
        }
    }

    /** After an interrupted poll: the records that it skipped were not delivered. */
    void seekBack() {
        for (PartitionReader partitionReader : served.values()) {
            GroupMembership.whileMember(() -> consumer.seek(partitionReader.partition(), partitionReader.position()));
        }
    }

    /** Hands what was polled to the frontier. */
    void deliver(ConsumerRecords<byte[], byte[]> records) {
        // First collects all polled records without a call that may fail: a skipped record would never be delivered
        // again.
        Map<PartitionReader, List<DeliveredRecord>> fresh = new HashMap<>();
        records.partitions().forEach(partition -> {
            PartitionReader partitionReader = served.get(partition);
            if (partitionReader != null) {
                fresh.put(partitionReader, unanswered(partitionReader, records.records(partition)));
            }
        });
        keys.learn(fresh.values().stream().flatMap(List::stream).flatMap(record -> record.host().stream()).distinct()
                .toList());
        records.nextOffsets().forEach((partition, next) -> {
            PartitionReader partitionReader = served.get(partition);
            if (partitionReader != null) {
                sendDelivered(partitionReader, fresh.getOrDefault(partitionReader, List.of()), next.offset());
            }
        });
        for (PartitionReader partitionReader : served.values()) {
            GroupMembership.whileMember(() -> sendDelivered(partitionReader, List.of(),
                    consumer.position(partitionReader.partition(), GroupMembership.ANSWER)));
        }
    }

    private List<DeliveredRecord> unanswered(PartitionReader partitionReader,
            List<ConsumerRecord<byte[], byte[]>> records) {
        List<DeliveredRecord> unanswered = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (record.offset() >= partitionReader.position() && !partitionReader.answered(record.offset())) {
                unanswered.add(new DeliveredRecord(record.offset(), record.key(), record.value(),
                        tracing.read(record.headers())).named());
            }
        }
        return unanswered;
    }

    private void sendDelivered(PartitionReader partitionReader, List<DeliveredRecord> deliveredRecord, long position) {
        if (partitionReader.reached(position)) {
            frontier.send(deliveredRecord.size(), (f, now) -> f.delivered(partitionReader.requestPartition(),
                    partitionReader.assignment(), deliveredRecord, position, now));
        }
    }

    /** Commits the low-water marks that have moved. */
    void commit() {
        commit(served.values());
    }

    /** The same of partition numbers that are given back. */
    void commitLast(Set<Integer> goneNumbers) {
        try {
            commit(goneNumbers.stream().flatMap(k -> topics.all(k).stream()).map(served::get).filter(Objects::nonNull)
                    .toList());
        } catch (KafkaException e) {
            LOG.info("the last offsets are not committed: {}", e.getMessage());
        }
    }

    private void commit(Collection<PartitionReader> partitionReaders) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        partitionReaders.stream().filter(PartitionReader::uncommitted)
                .forEach(r -> offsets.put(r.partition(), new OffsetAndMetadata(r.low())));
        if (offsets.isEmpty()) {
            return;
        }
        try {
            consumer.commitSync(offsets, RequestReader.COMMIT_LIMIT);
            partitionReaders.forEach(r -> {
                OffsetAndMetadata offset = offsets.get(r.partition());
                if (offset != null) {
                    r.committed(offset.offset());
                }
            });
        } catch (CommitFailedException | RetriableException e) {
            // Either the next commit succeeds, or the next owner of the partition relies on marks and facts.
            LOG.debug("not committed: {}", e.getMessage());
        }
    }
}
