package io.trawl.downloader;

import io.trawl.downloader.answer.Outage;
import io.trawl.ledger.AnsweredMarks;
import io.trawl.time.Time;
import io.trawl.worker.WorkerContext.Failures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes partition numbers over: first the lease, so that an earlier owner changes nothing any more; then what it has committed; then what it has marked as
 * answered. Belongs to the thread that owns the consumer; leases and marks are waited for on threads of their own.
 */
final class PartitionTakeover {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionTakeover.class);
    private final Consumer<byte[], byte[]> consumer;
    private final RequestTopics topics;
    private final String group;
    private final Ownership ownership;
    private final AnsweredMarks marks;
    private final Outage redis;
    private final Time time;
    private final Failures failures;
    /** The number of the attempt that is under way, by partition: what an earlier one comes to is ignored. */
    private final Map<Integer, Long> attempts = new HashMap<>();
    private final Queue<Attempt> leased = new ConcurrentLinkedQueue<>();
    private final Queue<Ready> loaded = new ConcurrentLinkedQueue<>();
    private long numbers;

    private record Attempt(int partition, long number) {}

    /** A partition number that can be served from these points on. */
    record Ready(int partition, long number, List<StartingPoint> points) {}

    PartitionTakeover(Consumer<byte[], byte[]> consumer, RequestTopics topics, String group, Ownership ownership,
            AnsweredMarks marks,
            Outage redis, Time time, Failures failures) {
        this.consumer = consumer;
        this.topics = topics;
        this.group = group;
        this.ownership = ownership;
        this.marks = marks;
        this.redis = redis;
        this.time = time;
        this.failures = failures;
    }

    /** Begins to take these over, but those for which that has begun already. */
    void begin(Set<Integer> partitions) {
        for (int partition : partitions) {
            if (!attempts.containsKey(partition)) {
                Attempt attempt = new Attempt(partition, ++numbers);
                attempts.put(partition, attempt.number());
                ownership.claim(partition, () -> leased.add(attempt));
            }
        }
    }

    /** It is not to be taken over any more; its lease is given back elsewhere. */
    void forget(int partition) {
        attempts.remove(partition);
    }

    /** Goes on with those whose lease is had: asks Kafka, at once, then for the marks. */
    void step() {
        List<Attempt> now = new ArrayList<>();
        leased.forEach(attempt -> {
            if (isCurrent(attempt.partition(), attempt.number())) {
                now.add(attempt);
            }
        });
        if (!now.isEmpty()) {
            load(now);
        }
        // Not before Kafka has answered: a call that fails is made again.
        leased.removeIf(attempt -> now.contains(attempt) || !isCurrent(attempt.partition(), attempt.number()));
    }

    private boolean isCurrent(int partition, long number) {
        return attempts.getOrDefault(partition, 0L) == number;
    }

    private void load(List<Attempt> fresh) {
        Set<TopicPartition> partitions = new HashSet<>();
        fresh.forEach(attempt -> partitions.addAll(topics.all(attempt.partition())));
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(partitions);
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        for (Attempt attempt : fresh) {
            List<StartingPoint> points = topics.all(attempt.partition()).stream()
                    .map(p -> start(p, committed.get(p), begins.get(p), ends.get(p))).toList();
            Thread.ofVirtual().name("marks-" + attempt.partition()).start(() -> loadMarks(attempt, points));
        }
    }

    private StartingPoint start(TopicPartition partition, @Nullable OffsetAndMetadata committed, long begin, long end) {
        long offset = committed == null ? 0 : committed.offset();
        if (offset < begin) {
            LOG.error("{}: group {} has committed {} but the log begins at {}: records in between are gone", partition, group,
                    offset, begin);
        }
        return new StartingPoint(partition, topics.log(partition), Math.max(offset, begin), end);
    }

    private void loadMarks(Attempt attempt, List<StartingPoint> points) {
        try {
            List<StartingPoint> marked = new ArrayList<>();
            for (StartingPoint point : points) {
                marked.add(point.withMarks(marks, redis, time));
            }
            loaded.add(new Ready(attempt.partition(), attempt.number(), marked));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failures.fatal("the answered marks cannot be read", e);
        }
    }

    /** The next one that is taken over. */
    Optional<Ready> next() {
        for (Ready ready = loaded.poll(); ready != null; ready = loaded.poll()) {
            if (attempts.remove(ready.partition(), ready.number())) {
                return Optional.of(ready);
            }
        }
        return Optional.empty();
    }
}
