package io.trawl.channel;

import io.trawl.channel.offset.StoredPosition;
import io.trawl.channel.offset.TopicOffsets;
import static java.util.Objects.requireNonNull;

import io.trawl.channel.TopicSpec.Retention.UntilHandled;
import io.trawl.model.Durations;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the records that the consumer group of a topic had handled at the look before, periodically, on its own
 * thread. The committed offsets on the broker decide, not this process's memory: a member that has lost a partition
 * cannot delete too much, and the next process deletes what an ended one left. The order is: commit, delete the
 * records, then call {@link DeletionListener}. No consumer begins below the log's start, and none finds a record
 * without the data that the listener deletes.
 *
 * <p>
 * Records that a topic keeps for other readers ({@link UntilHandled#keep}) stay until they are old enough.
 *
 * <p>
 * A committed offset may say that work is unfinished (a pipeline has files to rename, or a sink is behind): nothing is
 * deleted there until that is done. A failure is logged once and retried at the next interval.
 */
public final class TopicTrimmer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TopicTrimmer.class);
    private final KafkaClients kafka;
    private final Supplier<List<TopicSpec>> topics;
    private final Duration interval;
    private final OtherReaders readers;
    private final DeletionListener listener;
    private final Time time;
    /** The offsets up to which this process has deleted; a new process begins with everything committed. */
    private final Map<TopicPartition, Long> done = new HashMap<>();
    /** What was handled at the look before. */
    private Map<TopicPartition, Long> before = Map.of();
    private boolean failing;
    private final Thread thread;

    /** The groups that read a topic besides its own: what one of them has not handled stays, too. */
    @FunctionalInterface
    public interface OtherReaders {
        /** No others. */
        OtherReaders NONE = topic -> List.of();

        /**
         * Whether no log is shorter than a leader has noted: else nothing is deleted, before the leader has seen what
         * Kafka has lost. May block.
         */
        default boolean whole() throws InterruptedException {
            return true;
        }

        /** Called after the offsets of the topic's own group were read; may block. */
        List<String> of(String topic) throws InterruptedException;
    }

    /** Called after the records of a partition are deleted. */
    @FunctionalInterface
    public interface DeletionListener {
        /**
         * Called on the trimmer's thread; when it fails, it is called again after the next deletion there.
         *
         * @param below the log's new start: the records below this offset are deleted
         */
        void deleted(String topic, int partition, long below);
    }

    /**
     * Starts deleting, for the first time after two intervals.
     *
     * @param topics called each time; only topics with {@link UntilHandled} are trimmed
     * @param readers called each time
     * @param time the clock of the broker, which gives the records their times
     */
    public TopicTrimmer(KafkaClients kafka, Supplier<List<TopicSpec>> topics, Duration interval, OtherReaders readers,
            DeletionListener listener, Time time) {
        this.kafka = kafka;
        this.topics = topics;
        this.interval = interval;
        this.readers = readers;
        this.listener = listener;
        this.time = time;
        this.thread = Thread.ofVirtual().name("trimmer").start(this::run);
    }

    private void run() {
        try {
            while (true) {
                time.pause(interval);
                trim();
            }
        } catch (InterruptedException e) {
            LOG.debug("topic trimmer stopped");
        }
    }

    private void trim() throws InterruptedException {
        try (Admin admin = kafka.admin()) {
            Map<TopicPartition, Long> below = handledBefore(handled(admin));
            List<String> failures = below.isEmpty() || readers.whole() ? delete(admin, below) : List.of();
            logOnce(String.join("; ", failures));
        } catch (RuntimeException e) {
            logOnce(String.valueOf(e.getMessage()));
        }
    }

    /** @param failure empty if there is none */
    private void logOnce(String failure) {
        if (failure.isEmpty()) {
            if (failing) {
                LOG.info("topics are trimmed again");
            }
        } else if (failing) {
            LOG.debug("topics still cannot be trimmed: {}", failure);
        } else {
            LOG.warn("topics cannot be trimmed, retrying every {}: {}", Durations.format(interval), failure);
        }
        failing = !failure.isEmpty();
    }

    /**
     * What was handled already at the look before: if Kafka loses its last seconds, what they came from is still there.
     */
    private Map<TopicPartition, Long> handledBefore(Map<TopicPartition, Long> now) {
        Map<TopicPartition, Long> both = new HashMap<>(now);
        both.keySet().retainAll(before.keySet());
        both.replaceAll((partition, offset) -> Math.min(offset, before.getOrDefault(partition, 0L)));
        before = now;
        both.entrySet().removeIf(partition -> partition.getValue() <= done.getOrDefault(partition.getKey(), 0L));
        return both;
    }

    /** The committed offsets that lie beyond the deleted ones. */
    private Map<TopicPartition, Long> handled(Admin admin) throws InterruptedException {
        Map<String, Set<String>> byGroup = new HashMap<>();
        Map<String, Duration> keep = new HashMap<>();
        for (TopicSpec topic : topics.get()) {
            if (topic.retention() instanceof UntilHandled handled) {
                byGroup.computeIfAbsent(handled.group(), group -> new HashSet<>()).add(topic.name());
                keep.put(topic.name(), handled.keep());
            }
        }
        // Not closed: the client belongs to the caller.
        TopicOffsets offsets = new TopicOffsets(admin);
        Map<TopicPartition, Long> below = new HashMap<>();
        for (Map.Entry<String, Set<String>> group : byGroup.entrySet()) {
            offsets.committed(group.getKey()).forEach((partition, committed) -> {
                if (group.getValue().contains(partition.topic()) && StoredPosition.of(committed).complete()
                        && committed.offset() > done.getOrDefault(partition, 0L)) {
                    below.put(partition, committed.offset());
                }
            });
        }
        for (String topic : keep.keySet()) {
            keepUnread(offsets, topic, below);
        }
        keepYoung(offsets, keep, below);
        return below;
    }

    /**
     * Lowers the offsets to what the other readers of a topic have handled; a reader that has committed nothing has
     * handled nothing.
     */
    private void keepUnread(TopicOffsets offsets, String topic, Map<TopicPartition, Long> below)
            throws InterruptedException {
        if (below.keySet().stream().noneMatch(partition -> partition.topic().equals(topic))) {
            return;
        }
        for (String group : readers.of(topic)) {
            Map<TopicPartition, OffsetAndMetadata> read = offsets.committed(group);
            below.replaceAll((partition, offset) -> partition.topic().equals(topic)
                    ? Optional.ofNullable(read.get(partition))
                            .filter(committed -> StoredPosition.of(committed).complete())
                            .map(committed -> Math.min(offset, committed.offset())).orElse(0L)
                    : offset);
        }
    }

    /**
     * Lowers the offsets to the first record that is younger than its topic keeps records, and removes those that leave
     * nothing to delete.
     */
    private void keepYoung(TopicOffsets offsets, Map<String, Duration> keep, Map<TopicPartition, Long> below)
            throws InterruptedException {
        for (Map.Entry<String, Duration> topic : keep.entrySet()) {
            List<TopicPartition> partitions = below.keySet().stream().filter(p -> p.topic().equals(topic.getKey()))
                    .toList();
            if (topic.getValue().isPositive() && !partitions.isEmpty()) {
                offsets.since(partitions, time.now().minus(topic.getValue()))
                        .forEach((partition, young) -> below.merge(partition, young, Math::min));
            }
        }
        below.entrySet().removeIf(partition -> partition.getValue() <= done.getOrDefault(partition.getKey(), 0L));
    }

    /** @return the failures, by partition */
    private List<String> delete(Admin admin, Map<TopicPartition, Long> below) throws InterruptedException {
        if (below.isEmpty()) {
            return List.of();
        }
        List<String> failures = new ArrayList<>();
        var answers = admin
                .deleteRecords(below.entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, e -> RecordsToDelete.beforeOffset(e.getValue()))))
                .lowWatermarks();
        for (Map.Entry<TopicPartition, Long> entry : below.entrySet()) {
            TopicPartition partition = entry.getKey();
            try {
                requireNonNull(answers.get(partition)).get();
                listener.deleted(partition.topic(), partition.partition(), entry.getValue());
                done.put(partition, entry.getValue());
            } catch (ExecutionException e) {
                failures.add(partition + ": " + requireNonNull(e.getCause()).getMessage());
            } catch (RuntimeException e) {
                failures.add(partition + ": " + e.getMessage());
            }
        }
        LOG.debug("trimmed: {}", below);
        return failures;
    }

    /** Ends the thread, without waiting for it. */
    @Override
    public void close() {
        thread.interrupt();
    }
}
