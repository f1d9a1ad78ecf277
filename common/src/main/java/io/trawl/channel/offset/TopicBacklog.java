package io.trawl.channel.offset;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * The backlog of topics for a group: end minus committed offset (or log start, where nothing is committed) over all partitions. Not every offset is a
 * record: transaction markers and handled records behind an unanswered one count too, so a backlog is an upper bound, and 0 means that nothing is
 * left. Thread-safe; calls block for as long as the broker takes.
 */
public final class TopicBacklog implements AutoCloseable {
    /** How many times as far behind as analyzers an archive may be: it commits whole files. */
    public static final int ARCHIVE_ALLOWANCE = 10;
    private final TopicOffsets offsets;

    /**
     * @param admin closed by this object
     * @param served the partitions that the groups serve
     */
    public TopicBacklog(Admin admin, Predicate<TopicPartition> served) {
        this.offsets = new TopicOffsets(admin, served);
    }

    /**
     * The backlog of each topic. It includes everything acknowledged or committed before the call: the offsets of the group are read before the
     * ends, so that the result is never too small.
     *
     * @throws KafkaException if the broker does not answer, or a topic does not exist
     */
    public Map<String, Long> of(String group, Collection<String> topics) throws InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> committed = offsets.committed(group);
        Map<TopicPartition, Long> ends = offsets.ends(topics);
        // The broker drops the offsets of a group without members after some days; deleted records were handled.
        Map<TopicPartition, Long> starts = offsets.starts(ends.keySet().stream().filter(p -> !committed.containsKey(p)).toList());
        Map<String, Long> backlogs = new HashMap<>();
        ends.forEach((partition, end) -> {
            long handled = Optional.ofNullable(committed.get(partition)).map(OffsetAndMetadata::offset)
                    .orElseGet(() -> starts.get(partition));
            backlogs.merge(partition.topic(), Math.max(0, end - handled), Long::sum);
        });
        return backlogs;
    }

    /** The backlog of one topic; see {@link #of(String, Collection)}. */
    public long of(String group, String topic) throws InterruptedException {
        return of(group, List.of(topic)).getOrDefault(topic, 0L);
    }

    /** The backlog of responses for analyzers, or that of an archive by its allowance if it is larger. @throws KafkaException if the broker does not answer */
    public long ofResponses(String responses, String analyzers, Optional<String> archive) throws InterruptedException {
        long slowest = of(analyzers, responses);
        return archive.isPresent() ? Math.max(slowest, of(archive.get(), responses) / ARCHIVE_ALLOWANCE) : slowest;
    }

    /** The keys of the sinks that the commits of the pipelines' group say are behind. @throws KafkaException if the broker does not answer */
    public Set<String> sinksBehind(String group) throws InterruptedException {
        return offsets.committed(group).values().stream()
                .flatMap(committed -> StoredPosition.of(committed).behind().keySet().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** How many offsets the log of a topic holds. @throws KafkaException if the broker does not answer, or the topic does not exist */
    public long kept(String topic) throws InterruptedException {
        Map<TopicPartition, Long> ends = offsets.ends(List.of(topic));
        Map<TopicPartition, Long> starts = offsets.starts(ends.keySet());
        return ends.entrySet().stream()
                .mapToLong(end -> Math.max(0, end.getValue() - starts.getOrDefault(end.getKey(), end.getValue()))).sum();
    }

    @Override
    public void close() {
        offsets.close();
    }
}
