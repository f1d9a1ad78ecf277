package io.trawl.downloader.partition;

import static java.util.Objects.requireNonNull;

import io.trawl.channel.GroupMembership;
import io.trawl.ledger.AnsweredMarks;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.ledger.LogPartition;
import io.trawl.telemetry.Outage;
import io.trawl.time.Time;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
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
 * Takes partition numbers over: first the lease, so that an earlier owner changes nothing any more; then its committed
 * offsets; then its answered marks. Belongs to the thread that owns the consumer; threads of their own wait for leases
 * and marks.
 */
public final class PartitionTakeover {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionTakeover.class);
    private final WorkerContext context;
    private final Consumer<byte[], byte[]> consumer;
    private final RequestTopics topics;
    private final PartitionOwnership partitionOwnership;
    private final Outage redis;
    /** The number of the current attempt by partition; results of earlier ones are ignored. */
    private final Map<Integer, Long> attempts = new HashMap<>();
    private final Queue<Attempt> leased = new ConcurrentLinkedQueue<>();
    private final Queue<Ready> loaded = new ConcurrentLinkedQueue<>();
    private long numbers;

    private record Attempt(int partition, long number) {}

    /** A partition number that can be served from these start offsets. */
    record Ready(int partition, long number, List<StartOffset> points) {}

    public PartitionTakeover(WorkerContext context, Consumer<byte[], byte[]> consumer, RequestTopics topics,
            PartitionOwnership partitionOwnership, Outage redis) {
        this.context = context;
        this.consumer = consumer;
        this.topics = topics;
        this.partitionOwnership = partitionOwnership;
        this.redis = redis;
    }

    /** Begins to take these partitions over, except those for which that has begun already. */
    void begin(Set<Integer> partitions) {
        for (int partition : partitions) {
            if (!attempts.containsKey(partition)) {
                Attempt attempt = new Attempt(partition, ++numbers);
                attempts.put(partition, attempt.number());
                partitionOwnership.claim(partition, () -> leased.add(attempt));
            }
        }
    }

    /** Cancels the takeover; the lease is released elsewhere. */
    void forget(int partition) {
        attempts.remove(partition);
    }

    /** Continues with partitions whose lease is acquired: asks Kafka synchronously, then loads the marks. */
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
        // Only after Kafka has answered: a failed call is repeated.
        leased.removeIf(attempt -> now.contains(attempt) || !isCurrent(attempt.partition(), attempt.number()));
    }

    private boolean isCurrent(int partition, long number) {
        return attempts.getOrDefault(partition, 0L) == number;
    }

    private void load(List<Attempt> fresh) {
        Set<TopicPartition> partitions = new HashSet<>();
        fresh.forEach(attempt -> partitions.addAll(topics.all(attempt.partition())));
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(partitions, GroupMembership.ANSWER);
        Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions, GroupMembership.ANSWER);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, GroupMembership.ANSWER);
        for (Attempt attempt : fresh) {
            List<StartOffset> points = topics.all(attempt.partition()).stream().map(
                    p -> start(p, committed.get(p), requireNonNull(beginnings.get(p)), requireNonNull(ends.get(p))))
                    .toList();
            Thread.ofVirtual().name("marks-" + attempt.partition()).start(() -> loadMarks(attempt, points));
        }
    }

    private StartOffset start(TopicPartition partition, @Nullable OffsetAndMetadata committed, long begin, long end) {
        // The broker may have forgotten it, or have lost what it is about; what is answered from the begin on is
        // marked.
        long offset = committed == null || committed.offset() > end ? begin : committed.offset();
        if (offset < begin) {
            LOG.error("{}: group {} has committed offset {} but the log begins at {}: the records in between are gone",
                    partition, context.kafka().topics().downloaderGroup(), offset, begin);
        }
        return new StartOffset(partition, topics.log(partition), Math.max(offset, begin), end);
    }

    private void loadMarks(Attempt attempt, List<StartOffset> points) {
        try {
            List<StartOffset> marked = new ArrayList<>();
            for (StartOffset point : points) {
                marked.add(point.withMarks(context.store().marks(), redis, context.time()));
            }
            loaded.add(new Ready(attempt.partition(), attempt.number(), marked));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            context.failures().fatal("the answered marks cannot be read", e);
        }
    }

    /** The next partition that is ready. */
    Optional<Ready> next() {
        for (Ready ready = loaded.poll(); ready != null; ready = loaded.poll()) {
            if (attempts.remove(ready.partition(), ready.number())) {
                return Optional.of(ready);
            }
        }
        return Optional.empty();
    }

    /**
     * The start of reading one partition.
     *
     * @param offset the committed offset
     * @param end the end of the partition when it was assigned: no earlier owner has answered anything above
     * @param answered the offsets from {@code offset} on that are answered already; bit 0 is {@code offset}
     */
    record StartOffset(TopicPartition partition, LogPartition log, long offset, long end, BitSet answered) {
        private static final Duration PAUSE = Duration.ofMillis(500);
        private static final int BLOCK = 65_536;

        StartOffset(TopicPartition partition, LogPartition log, long offset, long end) {
            this(partition, log, offset, end, new BitSet());
        }

        /**
         * The same with the marks, read in blocks; waits while Redis is unavailable.
         *
         * @throws InterruptedException if the thread was interrupted
         */
        StartOffset withMarks(AnsweredMarks marks, Outage outage, Time time) throws InterruptedException {
            BitSet all = new BitSet();
            for (long at = offset; at < end;) {
                try {
                    int count = (int) Math.min(BLOCK - at % BLOCK, end - at);
                    int base = (int) (at - offset);
                    marks.answered(log, at, count).stream().forEach(bit -> all.set(base + bit));
                    at += count;
                    outage.end();
                } catch (LedgerUnavailableException e) {
                    outage.begin(e);
                    time.pause(PAUSE);
                }
            }
            return new StartOffset(partition, log, offset, end, all);
        }
    }
}
