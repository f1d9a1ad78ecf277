package io.trawl.coordinator.lifecycle;

import io.trawl.channel.TopicOffsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * How far the other stages are: ends of topics, and what groups have committed. Thread-safe; calls block for as long as the broker takes, and throw
 * {@link KafkaException} when it does not answer.
 */
public final class Progress implements AutoCloseable {
    private final TopicOffsets offsets;

    /** @param admin handed over */
    public Progress(Admin admin) {
        this.offsets = new TopicOffsets(admin);
    }

    /** The high-water marks of a topic; see {@link TopicOffsets#ends}. */
    public Map<TopicPartition, Long> ends(String topic) throws InterruptedException {
        return offsets.ends(List.of(topic));
    }

    /** Whether a group has handled everything below the ends and has nothing left to finish, such as a file to be renamed (a note at its offset). */
    public boolean handled(String group, Map<TopicPartition, Long> ends) throws InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> committed = offsets.committed(group);
        return ends.entrySet().stream().allMatch(end -> {
            Optional<OffsetAndMetadata> at = Optional.ofNullable(committed.get(end.getKey()));
            long offset = at.map(OffsetAndMetadata::offset).orElse(0L);
            return offset >= end.getValue() && at.map(OffsetAndMetadata::metadata).orElse("").isEmpty();
        });
    }

    @Override
    public void close() {
        offsets.close();
    }
}
