package io.trawl.channel;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * How much stands in topics that a group has not handled yet: ends minus committed offsets over all partitions. An offset is not always a record:
 * markers of transactions and records behind an unanswered one count too, so a backlog is an upper bound, and 0 means that nothing is left. Thread-safe;
 * calls block for as long as the broker takes.
 */
public final class Backlogs implements AutoCloseable {
    private final TopicOffsets offsets;

    /** @param admin handed over */
    public Backlogs(Admin admin) {
        this.offsets = new TopicOffsets(admin);
    }

    /**
     * The backlog of each topic. What was acknowledged or committed before the call is in it: the commits of the group are read first, then the ends, so
     * that no answer is too small.
     *
     * @throws KafkaException if the broker does not answer, or a topic does not exist
     */
    public Map<String, Long> of(String group, Collection<String> topics) throws InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> committed = offsets.committed(group);
        Map<String, Long> backlogs = new HashMap<>();
        offsets.ends(topics).forEach((partition, end) -> {
            long handled = Optional.ofNullable(committed.get(partition)).map(OffsetAndMetadata::offset).orElse(0L);
            backlogs.merge(partition.topic(), Math.max(0, end - handled), Long::sum);
        });
        return backlogs;
    }

    /** The backlog of one topic; see {@link #of(String, Collection)}. */
    public long of(String group, String topic) throws InterruptedException {
        return of(group, List.of(topic)).getOrDefault(topic, 0L);
    }

    @Override
    public void close() {
        offsets.close();
    }
}
