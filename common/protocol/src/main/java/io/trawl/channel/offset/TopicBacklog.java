package io.trawl.channel.offset;

import static java.util.Objects.requireNonNull;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The backlog of topics for a group: end minus committed offset (or log start, where nothing is committed, or a
 * position beyond the end) over all partitions. Not every offset is a record: transaction markers and handled records
 * behind an unanswered one count too, so a backlog is an upper bound, and 0 means that nothing is left. Thread-safe;
 * calls block for as long as the broker takes.
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
     * Where groups and logs are, for several backlogs at once: two or three requests, however many there are.
     *
     * @param committed of each group; read before the ends, so that no backlog is too small
     * @param ends of all partitions that count
     * @param starts of those in which a group has committed nothing, and of the topics whose contents count
     */
    public record Reading(Map<String, Map<TopicPartition, OffsetAndMetadata>> committed, Map<TopicPartition, Long> ends,
            Map<TopicPartition, Long> starts) {
        /**
         * The backlog of a topic for a group with which it was read. It includes everything acknowledged or committed
         * before the reading.
         */
        public long of(String group, String topic) {
            Map<TopicPartition, OffsetAndMetadata> handled = committed.getOrDefault(group, Map.of());
            // The broker drops the offsets of a group without members after some days; deleted records were handled.
            return held(topic, partition -> Optional.ofNullable(handled.get(partition)).map(OffsetAndMetadata::offset)
                    .filter(offset -> offset <= end(partition)).orElseGet(() -> start(partition)));
        }

        /** The backlog of responses for analyzers, or that of an archive by its allowance if it is larger. */
        public long ofResponses(String responses, String analyzers, Optional<String> archive) {
            long slowest = of(analyzers, responses);
            return archive.map(group -> Math.max(slowest, of(group, responses) / ARCHIVE_ALLOWANCE)).orElse(slowest);
        }

        /** The keys of the sinks that the commits of the pipelines' group say are behind. */
        public Set<String> sinksBehind(String group) {
            return committed.getOrDefault(group, Map.of()).values().stream()
                    .flatMap(position -> StoredPosition.of(position).behind().keySet().stream())
                    .collect(Collectors.toUnmodifiableSet());
        }

        /** How many offsets the log of a topic holds whose contents count. */
        public long kept(String topic) {
            return held(topic, this::start);
        }

        private long end(TopicPartition partition) {
            return requireNonNull(ends.get(partition));
        }

        private long start(TopicPartition partition) {
            return requireNonNull(starts.get(partition));
        }

        private long held(String topic, Function<TopicPartition, Long> from) {
            return ends.entrySet().stream().filter(end -> end.getKey().topic().equals(topic))
                    .mapToLong(end -> Math.max(0, end.getValue() - from.apply(end.getKey()))).sum();
        }
    }

    /**
     * Reads where groups and logs are now.
     *
     * @param read the topics that each group reads
     * @param kept topics whose contents count
     * @throws KafkaException if the broker does not answer, or a topic does not exist
     */
    public Reading read(Map<String, ? extends Collection<String>> read, Collection<String> kept)
            throws InterruptedException {
        Map<String, Map<TopicPartition, OffsetAndMetadata>> committed = offsets.committed(read.keySet());
        Set<String> topics = new HashSet<>(kept);
        read.values().forEach(topics::addAll);
        Map<TopicPartition, Long> ends = offsets.ends(topics);
        Map<TopicPartition, Long> starts = offsets.starts(ends.keySet().stream()
                .filter(partition -> kept.contains(partition.topic()) || read.entrySet().stream()
                        .anyMatch(group -> group.getValue().contains(partition.topic())
                                && !within(committed.getOrDefault(group.getKey(), Map.of()).get(partition),
                                        ends.get(partition))))
                .toList());
        return new Reading(committed, ends, starts);
    }

    /** A position beyond its log is about records that are gone. */
    private static boolean within(@Nullable OffsetAndMetadata committed, @Nullable Long end) {
        return committed != null && end != null && committed.offset() <= end;
    }

    /**
     * The backlog of one topic; see {@link Reading#of}. @throws KafkaException if the broker does not answer, or the
     * topic does not exist
     */
    public long of(String group, String topic) throws InterruptedException {
        return read(Map.of(group, Set.of(topic)), Set.of()).of(group, topic);
    }

    /**
     * The backlog of responses; see {@link Reading#ofResponses}. @throws KafkaException if the broker does not answer
     */
    public long ofResponses(String responses, String analyzers, Optional<String> archive) throws InterruptedException {
        Map<String, Set<String>> read = Stream.concat(Stream.of(analyzers), archive.stream())
                .collect(Collectors.toMap(group -> group, _ -> Set.of(responses)));
        return read(read, Set.of()).ofResponses(responses, analyzers, archive);
    }

    @Override
    public void close() {
        offsets.close();
    }
}
