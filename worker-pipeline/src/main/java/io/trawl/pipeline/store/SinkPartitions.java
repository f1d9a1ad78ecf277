package io.trawl.pipeline.store;

import io.trawl.channel.GroupMember;
import io.trawl.channel.GroupMember.PauseReason;
import io.trawl.channel.PartitionCounts;
import io.trawl.pipeline.sink.FileSink;
import io.trawl.pipeline.sink.SinkOffsets.PartitionLost;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The assigned partitions of a topic, and which of them the sink has taken over: a newly assigned one stays paused
 * until then. The consumer tells of changes within poll and close; exceptions are kept for the loop, since the client
 * would wrap them. Confined to the consumer's thread.
 */
final class SinkPartitions implements ConsumerRebalanceListener {
    private static final Logger LOG = LoggerFactory.getLogger(SinkPartitions.class);
    /**
     * Between two counts of the unread items, as often as they are reported: for each partition the client's own thread
     * must be asked.
     */
    private static final Duration COUNT_INTERVAL = Duration.ofMillis(500);
    private final GroupMember member;
    private final Consumer<byte[], byte[]> consumer;
    private final PartitionCounts counts;
    private final String topic;
    private final FileSink sink;
    private final StoringSpans spans;
    private final Time time;
    private long nextTakeOver;
    private long nextCount;
    private @Nullable RuntimeException failure;

    SinkPartitions(GroupMember member, PartitionCounts counts, String topic, FileSink sink, StoringSpans spans,
            Time time) {
        this.member = member;
        this.consumer = member.consumer();
        this.counts = counts;
        this.topic = topic;
        this.sink = sink;
        this.spans = spans;
        this.time = time;
        this.nextTakeOver = time.nanos();
        this.nextCount = nextTakeOver;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        partitions.forEach(partition -> member.pause(List.of(partition),
                counts.serves(partition) ? PauseReason.NOT_TAKEN_OVER : PauseReason.NOT_SERVED));
        nextTakeOver = time.nanos();
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
        for (TopicPartition partition : revoked) {
            try {
                if (failure == null) {
                    sink.close(partition.partition());
                    spans.stored(sink.stored());
                }
            } catch (RuntimeException e) {
                failure = e;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failure = new InterruptException(e);
            } finally {
                sink.discard(partition.partition());
            }
        }
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> lost) {
        lost.forEach(partition -> sink.discard(partition.partition()));
    }

    /** Throws what has failed while partitions were given back. */
    void throwFailure() {
        if (failure != null) {
            throw failure;
        }
    }

    void forgetFailure() {
        failure = null;
    }

    /** While sinks that are behind fail, nothing is read for them. */
    void skipStored() {
        for (int partition : sink.partitions()) {
            sink.wantedFrom(partition).ifPresent(offset -> {
                consumer.seek(at(partition), offset);
                sink.moved(partition, offset);
            });
        }
    }

    /** Positions advance over transaction markers, too; the leader compares them with the end of the topic. */
    void updatePositions() {
        for (int partition : sink.partitions()) {
            try {
                sink.moved(partition, consumer.position(at(partition), ItemLoop.POLL));
            } catch (TimeoutException e) {
                LOG.debug("the position of partition {} is not known now", partition);
            }
        }
        if (member.polled() && time.nanos() - nextCount >= 0) {
            nextCount = time.nanos() + COUNT_INTERVAL.toNanos();
            sink.figures().waiting(
                    sink.partitions().stream().mapToLong(partition -> consumer.currentLag(at(partition)).orElse(0)));
        }
    }

    /** Partitions that items are written to since this member was assigned them. */
    void takeOverAdded() {
        List<TopicPartition> added = member.paused(PauseReason.NOT_SERVED).stream().filter(counts::serves).toList();
        if (!added.isEmpty()) {
            member.pause(added, PauseReason.NOT_TAKEN_OVER);
            member.resume(added, PauseReason.NOT_SERVED);
        }
    }

    /** Those that the sink has not taken over. */
    Set<Integer> notTakenOver() {
        return member.paused(PauseReason.NOT_TAKEN_OVER).stream().map(TopicPartition::partition)
                .collect(Collectors.toSet());
    }

    /** Takes partitions over from which this member has not read. */
    void takeOverFresh() throws InterruptedException {
        Set<Integer> notTakenOver = notTakenOver();
        if (notTakenOver.isEmpty() || time.nanos() - nextTakeOver < 0) {
            return;
        }
        nextTakeOver = time.nanos() + ItemLoop.RETRY.toNanos();
        try {
            Map<Integer, Long> begin = sink.takeOver(notTakenOver);
            begin.forEach((partition, offset) -> consumer.seek(at(partition), offset));
            member.resume(begin.keySet().stream().map(this::at).toList(), PauseReason.NOT_TAKEN_OVER);
        } catch (PartitionLost e) {
            LOG.info("lost partitions {}: {}", notTakenOver, e.getMessage());
        }
    }

    /** After a rejected commit: if this member still owns the partition, the sink takes it over like a new one. */
    void reassign(int partition) {
        member.pause(List.of(at(partition)), PauseReason.NOT_TAKEN_OVER);
    }

    /** After a turn that was interrupted: other members may have advanced the offsets. */
    void reassignAll() {
        consumer.assignment().stream().filter(counts::serves).forEach(partition -> reassign(partition.partition()));
    }

    private TopicPartition at(int partition) {
        return new TopicPartition(topic, partition);
    }
}
