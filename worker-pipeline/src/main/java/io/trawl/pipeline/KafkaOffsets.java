package io.trawl.pipeline;

import io.trawl.pipeline.sink.Offsets;
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
import io.trawl.channel.Polls;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * The offsets of the group, committed one partition at a time with the note as metadata. A commit whose outcome is unknown is repeated until it is
 * known; it is never given up, since the note may have been stored. Belongs to the consumer's thread.
 */
final class KafkaOffsets implements Offsets {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private final Consumer<byte[], byte[]> consumer;
    private final String topic;
    private final Time time;
    private final StageState state;

    KafkaOffsets(Consumer<byte[], byte[]> consumer, String topic, Time time, StageState state) {
        this.consumer = consumer;
        this.topic = topic;
        this.time = time;
        this.state = state;
    }

    @Override
    public Map<Integer, Committed> committed(Set<Integer> partitions) throws PartitionLost, InterruptedException {
        Set<TopicPartition> topicPartitions = partitions.stream().map(this::at).collect(Collectors.toSet());
        // In this order: the log start never passes what is committed.
        Map<TopicPartition, OffsetAndMetadata> committed = attempt(() -> consumer.committed(topicPartitions, PATIENCE));
        Map<TopicPartition, Long> starts = attempt(() -> consumer.beginningOffsets(topicPartitions, PATIENCE));
        Map<Integer, Committed> result = new HashMap<>();
        for (TopicPartition partition : topicPartitions) {
            OffsetAndMetadata offset = committed.get(partition);
            long start = starts.get(partition);
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
                    consumer.commitSync(offsets, PATIENCE);
                    return offsets;
                });
                return;
            } catch (RetriableException e) {
                state.waiting(StageState.WAITING_FOR_KAFKA, e);
                time.pause(PAUSE);
            }
        }
    }

    /** A read is not insisted on: an expelled member gets no answer before it has polled again. */
    private <T> T attempt(Supplier<T> call) throws PartitionLost, InterruptedException {
        try {
            return once(call);
        } catch (RetriableException e) {
            state.waiting(StageState.WAITING_FOR_KAFKA, e);
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
            if (Polls.expelled(e)) {
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
