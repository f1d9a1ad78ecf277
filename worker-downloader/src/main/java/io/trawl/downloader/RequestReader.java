package io.trawl.downloader;

import io.trawl.channel.Polls;
import io.trawl.downloader.PartitionTakeover.Ready;
import io.trawl.downloader.answer.Outage;
import io.trawl.downloader.frontier.Action;
import io.trawl.downloader.frontier.Action.Commit.Mark;
import io.trawl.downloader.frontier.Delivered;
import io.trawl.downloader.frontier.Lane;
import io.trawl.downloader.frontier.QueueKeys;
import io.trawl.ledger.LogPartition;
import io.trawl.time.Time;
import io.trawl.trace.Tracer;
import io.trawl.worker.WorkerContext.Failures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that reads the request topics and alone touches the consumer. A partition number is served only while it is assigned in every priority,
 * from the moment its lease is had and its committed offsets and marks are known ({@link PartitionTakeover}); until then it is paused. Before a partition is
 * given back it comes to rest and its last low-water mark is committed, inside the callback, while it is still ours ({@link Handover}). {@link #obey} and {@link #stop} may be called by any thread.
 */
final class RequestReader implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(RequestReader.class);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration COMMIT_LIMIT = Duration.ofSeconds(5);
    private static final long COMMIT_EVERY_NANOS = 200_000_000L;
    private static final long TRIM_EVERY_NANOS = 30_000_000_000L;
    private static final long WORTH_TRIMMING = 10_000;
    private final Consumer<byte[], byte[]> consumer;
    private final RequestTopics topics;
    private final QueueKeys keys;
    private final FrontierLoop frontier;
    private final PartitionTakeover takeover;
    private final Handover handover;
    private final Trimmer trimmer;
    private final Tracer tracer;
    private final Outage kafka;
    private final Time time;
    private final Failures failures;
    /** What is ours by the callbacks: the client's own view still holds a revoked partition for a moment after its callback. */
    private final Set<TopicPartition> owned = new HashSet<>();
    private final Map<TopicPartition, Reading> served = new HashMap<>();
    private final Set<Integer> pausedPriorities = new HashSet<>();
    private final Queue<Action> orders = new ConcurrentLinkedQueue<>();
    private long numbers;
    private long lastCommit;
    private long lastTrim;
    private volatile boolean stopped;

    RequestReader(Consumer<byte[], byte[]> consumer, RequestTopics topics, QueueKeys keys, FrontierLoop frontier,
            PartitionTakeover takeover,
            Handover handover, Trimmer trimmer, Tracer tracer, Outage kafka, Time time, Failures failures) {
        this.consumer = consumer;
        this.topics = topics;
        this.keys = keys;
        this.frontier = frontier;
        this.takeover = takeover;
        this.handover = handover;
        this.trimmer = trimmer;
        this.tracer = tracer;
        this.kafka = kafka;
        this.time = time;
        this.failures = failures;
        this.lastCommit = time.nanos();
        this.lastTrim = time.nanos();
    }

    /** Takes a {@link Action.Commit}, {@link Action.Reread} or {@link Action.Scan}; carried out before the next poll. */
    void obey(Action order) {
        orders.add(order);
    }

    /** Commits, leaves the group and ends the thread, soon. */
    void stop() {
        stopped = true;
    }

    @Override
    public void run() {
        try {
            consumer.subscribe(topics.names(), new Listener());
            while (!stopped) {
                step();
            }
            // Not left to the callback: the client may drop it when it is closed in the middle of a rebalance.
            release(List.copyOf(owned), Duration.ZERO, true);
        } catch (RuntimeException | Error e) {
            failures.fatal("the requests cannot be read", e);
        } finally {
            consumer.close(CloseOptions.timeout(COMMIT_LIMIT));
        }
    }

    private void step() {
        try {
            if (Polls.whileMember(this::turn)) {
                kafka.end();
            }
        } catch (RetriableException e) {
            kafka.begin(e);
        }
    }

    private void turn() {
        follow();
        Polls.poll(consumer, POLL).ifPresentOrElse(this::deliver, this::goBack);
        takeOver();
        long now = time.nanos();
        if (now - lastCommit >= COMMIT_EVERY_NANOS) {
            lastCommit = now;
            commit(served.values());
        }
        if (now - lastTrim >= TRIM_EVERY_NANOS) {
            lastTrim = now;
            trim();
        }
    }

    private void follow() {
        for (Action order = orders.poll(); order != null; order = orders.poll()) {
            switch (order) {
                case Action.Commit commit -> commit.offsets().forEach(this::low);
                case Action.Reread reread -> reread.from().forEach(this::reread);
                case Action.Scan scan -> scan(scan);
                default -> throw new IllegalStateException("not an order to the reader: " + order);
            }
        }
    }

    private void low(Lane lane, Mark mark) {
        Reading reading = served.get(topics.partition(lane));
        if (reading != null && reading.tenure() == mark.tenure()) {
            reading.low(mark.offset());
        }
    }

    /** Nothing from there on has been trimmed: the low-water mark has not passed what is read again. */
    private void reread(Lane lane, Mark from) {
        Reading reading = served.get(topics.partition(lane));
        if (reading != null && reading.tenure() == from.tenure() && from.offset() < reading.position()
                && ifOurs(() -> consumer.seek(reading.partition(), from.offset()))) {
            reading.back(from.offset());
        }
    }

    private void scan(Action.Scan scan) {
        List<TopicPartition> partitions = served.keySet().stream().filter(p -> topics.lane(p).priority() == scan.priority())
                .toList();
        if (scan.on()) {
            pausedPriorities.remove(scan.priority());
            ifOurs(() -> consumer.resume(partitions));
        } else {
            pausedPriorities.add(scan.priority());
            ifOurs(() -> consumer.pause(partitions));
        }
    }

    /** The client refuses calls about partitions that it has lost, sometimes before it says so: then the callback is on its way. */
    private static boolean ifOurs(Runnable call) {
        try {
            call.run();
            return true;
        } catch (IllegalStateException e) {
            LOG.debug("not ours any more: {}", e.getMessage());
            return false;
        }
    }

    /** After a torn poll: what it passed was not delivered. */
    private void goBack() {
        for (Reading reading : served.values()) {
            ifOurs(() -> consumer.seek(reading.partition(), reading.position()));
        }
    }

    // ---- records ----

    private void deliver(ConsumerRecords<byte[], byte[]> records) {
        // First everything that was polled, without a call that may fail: what is skipped here would never come again.
        Map<Reading, List<Delivered>> fresh = new HashMap<>();
        records.partitions().forEach(partition -> {
            Reading reading = served.get(partition);
            if (reading != null) {
                fresh.put(reading, unanswered(reading, records.records(partition)));
            }
        });
        keys.learn(fresh.values().stream().flatMap(List::stream).flatMap(record -> record.host().stream()).distinct().toList());
        records.nextOffsets().forEach((partition, next) -> {
            Reading reading = served.get(partition);
            if (reading != null) {
                tell(reading, fresh.getOrDefault(reading, List.of()), next.offset());
            }
        });
        for (Reading reading : served.values()) {
            ifOurs(() -> tell(reading, List.of(), consumer.position(reading.partition())));
        }
    }

    private List<Delivered> unanswered(Reading reading, List<ConsumerRecord<byte[], byte[]>> records) {
        List<Delivered> unanswered = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (record.offset() >= reading.position() && !reading.answered(record.offset())) {
                unanswered.add(new Delivered(record.offset(), record.key(), record.value(), tracer.read(record.headers())));
            }
        }
        return unanswered;
    }

    private void tell(Reading reading, List<Delivered> delivered, long position) {
        if (reading.reached(position)) {
            frontier.tell((f, now) -> f.delivered(reading.lane(), reading.tenure(), delivered, position, now));
        }
    }

    // ---- taking partitions over ----

    private void takeOver() {
        Set<Integer> fresh = topics.complete(owned);
        fresh.removeIf(k -> served.containsKey(topics.all(k).getFirst()));
        takeover.begin(fresh);
        takeover.step();
        for (Optional<Ready> ready = takeover.next(); ready.isPresent(); ready = takeover.next()) {
            serve(ready.get());
        }
    }

    private void serve(Ready done) {
        if (!ifOurs(() -> done.points().forEach(point -> consumer.seek(point.partition(), point.offset())))) {
            return;
        }
        List<TopicPartition> open = new ArrayList<>();
        for (StartingPoint point : done.points()) {
            Lane lane = topics.lane(point.partition());
            Reading reading = new Reading(lane, point.partition(), point.log(), ++numbers, point.offset(), point.answered());
            served.put(point.partition(), reading);
            frontier.tell((f, now) -> f.assigned(lane, reading.tenure(), point.offset()));
            if (!pausedPriorities.contains(lane.priority())) {
                open.add(point.partition());
            }
        }
        ifOurs(() -> consumer.resume(open));
        LOG.info("partition {} is served from {}", done.partition(), done.points().stream().map(StartingPoint::offset).toList());
    }

    // ---- commits ----

    private void commit(Collection<Reading> readings) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        readings.stream().filter(Reading::uncommitted).forEach(r -> offsets.put(r.partition(), new OffsetAndMetadata(r.low())));
        if (offsets.isEmpty()) {
            return;
        }
        try {
            consumer.commitSync(offsets, COMMIT_LIMIT);
            readings.forEach(r -> {
                OffsetAndMetadata offset = offsets.get(r.partition());
                if (offset != null) {
                    r.committed(offset.offset());
                }
            });
        } catch (CommitFailedException | RetriableException e) {
            // Either it works the next time, or the partition is not ours any more and its next owner judges by marks and facts.
            LOG.debug("not committed: {}", e.getMessage());
        }
    }

    private void trim() {
        List<Reading> worth = served.values().stream().filter(r -> r.trimmable() >= WORTH_TRIMMING).toList();
        Map<LogPartition, Long> below = new HashMap<>();
        worth.forEach(r -> below.put(r.log(), r.committed()));
        if (trimmer.trim(below)) {
            worth.forEach(Reading::trimmed);
        }
    }

    // ---- giving partitions back ----

    private final class Listener implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            owned.addAll(partitions);
            consumer.pause(partitions);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            release(partitions, Handover.PATIENCE, true);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            LOG.warn("lost {}: this process was silent for too long", partitions);
            release(partitions, Handover.PATIENCE, false);
        }
    }

    private void release(Collection<TopicPartition> partitions, Duration patience, boolean stillOurs) {
        // Once each: closing the client revokes again what was given back before.
        Set<Integer> numbersGone = new HashSet<>();
        partitions.stream().filter(owned::remove).forEach(p -> numbersGone.add(p.partition()));
        numbersGone.forEach(takeover::forget);
        List<Reading> gone = numbersGone.stream().flatMap(k -> topics.all(k).stream()).map(served::get).filter(Objects::nonNull)
                .toList();
        if (!numbersGone.isEmpty()) {
            handover.giveBack(numbersGone, patience, last -> {
                last.forEach(this::low);
                if (stillOurs) {
                    commitLast(gone);
                }
            });
        }
        gone.forEach(reading -> served.remove(reading.partition()));
        List<TopicPartition> kept = owned.stream().filter(p -> numbersGone.contains(p.partition())).toList();
        ifOurs(() -> consumer.pause(kept));
    }

    private void commitLast(List<Reading> gone) {
        try {
            commit(gone);
        } catch (KafkaException e) {
            LOG.info("the last offsets are not committed: {}", e.getMessage());
        }
    }
}
