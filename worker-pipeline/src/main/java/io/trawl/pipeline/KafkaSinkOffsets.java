package io.trawl.pipeline;

import static java.util.Objects.requireNonNull;

import io.trawl.channel.GroupMembership;
import io.trawl.module.ReportedState;
import io.trawl.module.StageState.Dependency;
import io.trawl.module.StageState.WaitingFor;
import io.trawl.pipeline.sink.SinkOffsets;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * The group's offsets, committed one partition at a time with the note as metadata. A commit whose outcome is unknown
 * is retried without limit, since the note may have been stored. Confined to the consumer's thread.
 */
final class KafkaSinkOffsets implements SinkOffsets {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private final Consumer<byte[], byte[]> consumer;
    private final String topic;
    private final Time time;
    private final ReportedState state;

    KafkaSinkOffsets(Consumer<byte[], byte[]> consumer, String topic, Time time, ReportedState state) {
        this.consumer = consumer;
        this.topic = topic;
        this.time = time;
        this.state = state;
    }

    @Override
    public Map<Integer, Committed> committed(Set<Integer> partitions) throws PartitionLost, InterruptedException {
        Set<TopicPartition> topicPartitions = partitions.stream().map(this::at).collect(Collectors.toSet());
        // In this order, because the log start never passes the committed offset.
        Map<TopicPartition, OffsetAndMetadata> committed = attempt(() -> consumer.committed(topicPartitions, TIMEOUT));
        Map<TopicPartition, Long> starts = attempt(() -> consumer.beginningOffsets(topicPartitions, TIMEOUT));
        Map<Integer, Committed> result = new HashMap<>();
        for (TopicPartition partition : topicPartitions) {
            OffsetAndMetadata offset = committed.get(partition);
            long start = requireNonNull(starts.get(partition));
            result.put(partition.partition(), offset == null
                    ? new Committed(-1, NOTHING_PENDING, start)
                    : new Committed(offset.offset(), offset.metadata(), start));
        }
        return result;
    }

    @Override
    public void commit(int partition, long offset, String note) throws PartitionLost, InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> offsets = Map.of(at(partition), new OffsetAndMetadata(offset, note));
        while (true) {
            try {
                once(() -> {
                    consumer.commitSync(offsets, TIMEOUT);
                    return offsets;
                });
                return;
            } catch (RetriableException e) {
                state.is(new WaitingFor(Dependency.KAFKA, e));
                time.pause(PAUSE);
            }
        }
    }

    /** A read is not retried, because an expelled member gets no answer before its next poll. */
    private <T> T attempt(Supplier<T> call) throws PartitionLost, InterruptedException {
        try {
            return once(call);
        } catch (RetriableException e) {
            state.is(new WaitingFor(Dependency.KAFKA, e));
            throw new PartitionLost(e);
        }
    }

    private static <T> T once(Supplier<T> call) throws PartitionLost, InterruptedException {
        try {
            return call.get();
        } catch (CommitFailedException | RebalanceInProgressException | FencedInstanceIdException e) {
            throw new PartitionLost(e);
        } catch (InterruptException e) {
            throw interrupted(e);
        } catch (KafkaException e) {
            if (GroupMembership.expelled(e)) {
                throw new PartitionLost(e);
            }
            throw e;
        }
    }

    private static InterruptedException interrupted(InterruptException e) {
        Thread.interrupted();
        InterruptedException interrupted = new InterruptedException(e.getMessage());
        interrupted.initCause(e);
        return interrupted;
    }

    private TopicPartition at(int partition) {
        return new TopicPartition(topic, partition);
    }
}
