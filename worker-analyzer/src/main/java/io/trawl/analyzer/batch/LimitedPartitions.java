package io.trawl.analyzer.batch;

import io.trawl.analyzer.batch.BatchLoop.ServedPartitions;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * The partitions of a consumer that are not handled now: those that do not count, and those that are at their limit.
 * They are paused until they count, or their limit is higher. Belongs to the thread of the consumer.
 */
final class LimitedPartitions {
    private final Consumer<byte[], byte[]> consumer;
    private final ServedPartitions served;
    private final Set<TopicPartition> unserved = new HashSet<>();
    /** Those that are at their limit, with it. */
    private final Map<TopicPartition, Long> limited = new HashMap<>();

    LimitedPartitions(Consumer<byte[], byte[]> consumer, ServedPartitions served) {
        this.consumer = consumer;
        this.served = served;
    }

    /** @param holding whether nothing is handled now */
    void assigned(Collection<TopicPartition> partitions, boolean holding) {
        partitions.stream().filter(partition -> !served.serves(partition)).forEach(unserved::add);
        consumer.pause(partitions.stream().filter(partition -> holding || unserved.contains(partition)).toList());
    }

    void revoked(Collection<TopicPartition> partitions) {
        partitions.forEach(limited::remove);
        partitions.forEach(unserved::remove);
    }

    /** Resumes all others, when nothing holds the loop any more. */
    void resumeOthers() {
        consumer.resume(
                consumer.paused().stream().filter(served::serves).filter(p -> !limited.containsKey(p)).toList());
    }

    /**
     * A partition may begin to count, and a limit may be higher than it was. While the loop holds, such a partition
     * stays paused until it goes on.
     */
    void look(boolean holding) {
        List<TopicPartition> further = Stream.concat(unserved.stream().filter(served::serves), limited.entrySet()
                .stream().filter(at -> served.limit(at.getKey()) > at.getValue()).map(Map.Entry::getKey)).toList();
        if (!further.isEmpty()) {
            further.forEach(unserved::remove);
            further.forEach(limited::remove);
            consumer.resume(further.stream().filter(p -> !holding && consumer.assignment().contains(p)).toList());
        }
    }

    /** What of a poll may be handled now. */
    PollLimit below(ConsumerRecords<byte[], byte[]> polled) {
        if (!polled.isEmpty()) {
            served.refresh();
        }
        return new PollLimit(polled, served::limit);
    }

    /** Pauses partitions of which all below these limits is handled. */
    void pauseAt(Map<TopicPartition, Long> limits) {
        limited.putAll(limits);
        consumer.pause(limits.keySet().stream().filter(consumer.assignment()::contains).toList());
    }
}
