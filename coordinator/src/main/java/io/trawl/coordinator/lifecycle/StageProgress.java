package io.trawl.coordinator.lifecycle;

import io.trawl.channel.offset.StoredPosition;
import io.trawl.channel.offset.TopicOffsets;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.model.CrawlId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * The progress of the other stages: end offsets of topics, and committed offsets of groups. Thread-safe; calls block
 * until the broker answers, and throw {@link KafkaException} if it does not.
 */
public final class StageProgress implements AutoCloseable {
    private static final OffsetAndMetadata NOTHING = new OffsetAndMetadata(0);
    private final TopicOffsets offsets;
    private final Supplier<Optional<KafkaLoss>> loss;

    /**
     * @param admin handed over
     * @param served the partitions that the stages serve
     * @param loss the last loss in Kafka
     */
    public StageProgress(Admin admin, Predicate<TopicPartition> served, Supplier<Optional<KafkaLoss>> loss) {
        this.offsets = new TopicOffsets(admin, served);
        this.loss = loss;
    }

    /** The high-water marks of a topic; see {@link TopicOffsets#ends}. */
    public Map<TopicPartition, Long> ends(String topic) throws InterruptedException {
        return offsets.ends(List.of(topic));
    }

    /** The high-water mark of a topic with one partition. */
    public long end(String topic) throws InterruptedException {
        return ends(topic).getOrDefault(new TopicPartition(topic, 0), 0L);
    }

    /** The first offset of a topic with one partition. */
    public long start(String topic) throws InterruptedException {
        TopicPartition log = new TopicPartition(topic, 0);
        return offsets.starts(List.of(log)).getOrDefault(log, 0L);
    }

    /** The last stable offsets of a topic; see {@link TopicOffsets#stable}. */
    public Map<TopicPartition, Long> stable(String topic) throws InterruptedException {
        return offsets.stable(List.of(topic));
    }

    /**
     * Whether a group has handled all records below the ends. A position beyond its log is about records that are gone;
     * a group that has committed none begins at the start of the log.
     */
    public boolean handled(String group, Map<TopicPartition, Long> ends) throws InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>(offsets.committed(group));
        List<TopicPartition> none = ends.keySet().stream().filter(partition -> !committed.containsKey(partition))
                .toList();
        if (!none.isEmpty()) {
            offsets.starts(none).forEach((partition, start) -> committed.put(partition, new OffsetAndMetadata(start)));
        }
        return within(committed, ends, (position, end) -> position.offset() >= end);
    }

    /**
     * Whether a group of pipelines has stored all records of a crawl below the ends and has no pending work, such as a
     * file to be renamed or a sink of the crawl that is behind (metadata of the committed offset). A position of before
     * a loss in Kafka says nothing.
     */
    public boolean stored(String group, CrawlId crawl, Map<TopicPartition, Long> ends) throws InterruptedException {
        String known = loss.get().map(KafkaLoss::tag).orElse("");
        return ends.isEmpty() || within(offsets.committed(group), ends, (position, end) -> end == 0
                || StoredPosition.lossKnownTo(position).equals(known) && StoredPosition.of(position).holds(crawl, end));
    }

    /**
     * How far groups have handled those of the logs that end before, so that records are gone; of a group that outlives
     * losses, as far as those that are known have left the log.
     */
    public Map<TopicPartition, Long> handledBeyond(List<String> groups, Set<TopicPartition> logs)
            throws InterruptedException {
        Map<TopicPartition, Long> handled = new HashMap<>();
        for (String group : groups) {
            offsets.committed(group).forEach((partition, position) -> handled.merge(partition,
                    Math.min(position.offset(), left(group, partition, position)), Math::max));
        }
        handled.keySet().retainAll(logs);
        // In this order: a log only grows.
        Map<TopicPartition, Long> ends = offsets
                .ends(handled.keySet().stream().map(TopicPartition::topic).distinct().toList());
        handled.entrySet().removeIf(each -> each.getValue() <= ends.getOrDefault(each.getKey(), Long.MAX_VALUE));
        return handled;
    }

    /** The names of the other groups carry the last loss. */
    private long left(String group, TopicPartition partition, OffsetAndMetadata position) {
        return loss.get().filter(last -> !group.endsWith(last.tag()))
                .map(last -> last.limit(partition.toString(), StoredPosition.lossKnownTo(position)))
                .orElse(Long.MAX_VALUE);
    }

    /** A log only grows, so its end is read after the positions. */
    private boolean within(Map<TopicPartition, OffsetAndMetadata> committed, Map<TopicPartition, Long> ends,
            BiPredicate<OffsetAndMetadata, Long> reached) throws InterruptedException {
        if (!ends.entrySet().stream()
                .allMatch(end -> reached.test(committed.getOrDefault(end.getKey(), NOTHING), end.getValue()))) {
            return false;
        }
        Map<TopicPartition, Long> now = offsets
                .ends(ends.keySet().stream().map(TopicPartition::topic).distinct().toList());
        return ends.keySet().stream().allMatch(
                partition -> committed.getOrDefault(partition, NOTHING).offset() <= now.getOrDefault(partition, 0L));
    }

    @Override
    public void close() {
        offsets.close();
    }
}
