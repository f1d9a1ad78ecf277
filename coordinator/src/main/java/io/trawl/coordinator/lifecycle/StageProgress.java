package io.trawl.coordinator.lifecycle;

import io.trawl.channel.offset.StoredPosition;
import io.trawl.channel.offset.TopicOffsets;
import io.trawl.model.CrawlId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * The progress of the other stages: end offsets of topics, and committed offsets of groups. Thread-safe; calls block
 * until the broker answers, and throw {@link KafkaException} if it does not.
 */
public final class StageProgress implements AutoCloseable {
    private final TopicOffsets offsets;

    /**
     * @param admin handed over
     * @param served the partitions that the stages serve
     */
    public StageProgress(Admin admin, Predicate<TopicPartition> served) {
        this.offsets = new TopicOffsets(admin, served);
    }

    /** The high-water marks of a topic; see {@link TopicOffsets#ends}. */
    public Map<TopicPartition, Long> ends(String topic) throws InterruptedException {
        return offsets.ends(List.of(topic));
    }

    /**
     * Whether a group has handled all records of a crawl below the ends and has no pending work, such as a file to be renamed or a sink of the crawl that is
     * behind (metadata of the committed offset).
     */
    public boolean handled(String group, CrawlId crawl, Map<TopicPartition, Long> ends) throws InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> committed = offsets.committed(group);
        return ends.entrySet().stream().allMatch(end -> Optional.ofNullable(committed.get(end.getKey()))
                .map(StoredPosition::of).orElse(StoredPosition.of(0)).holds(crawl, end.getValue()));
    }

    @Override
    public void close() {
        offsets.close();
    }
}
