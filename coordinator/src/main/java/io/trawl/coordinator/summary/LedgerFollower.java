package io.trawl.coordinator.summary;

import io.trawl.coordinator.topic.TopicFollower;
import java.util.Set;
import io.trawl.codec.Codec;
import io.trawl.ledger.LedgerRecord;
import io.trawl.model.CrawlRun;
import io.trawl.time.Time;
import io.trawl.worker.WorkerContext.FailureHandler;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all committed records of the {@code ledger} topic on a thread of its own, and lets the {@link Tally} sum them
 * up. Every coordinator runs one, so that a new leader need not read the topic first. No crawl can finish without it,
 * so it continues after every exception.
 *
 * <p>
 * Every record counts once, even if it is read again: a repeated answer would be ignored, but an id that is emitted
 * again after its answer would wait for ever. Snapshots of the sums stand for the records that are deleted.
 */
public final class LedgerFollower implements TopicFollower.Reader, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerFollower.class);
    private final TopicFollower follower;
    private final LedgerSource source;
    private final FailureHandler failures;
    private final Time time;
    private final Time broker;
    private Optional<Runnable> whenCounted = Optional.empty();
    private final Tally tally = new Tally();
    /** What snapshots name that this process writes: a later loss in Kafka ends it. Empty before it reads. */
    private Optional<String> loss = Optional.empty();
    private SavedSums saved = SavedSums.NONE;
    /** The size of the records that the last snapshot has not counted. */
    private long unsaved;
    /** Whether no snapshot is left, though records are deleted. */
    private boolean gone;
    /** The runs with records since the last poll; belongs to the reading thread. */
    private final Set<CrawlRun> added = new HashSet<>();
    private volatile Consumer<CrawlRun> whenAdded = _ -> {};

    /**
     * Where the records of the ledger are, and the sums of those that are deleted.
     *
     * @param readers creates a consumer without a group that skips nothing; called again after a consumer failed
     * @param topic of the records
     * @param count how many partitions carry records; may grow
     */
    public record LedgerSource(Supplier<org.apache.kafka.clients.consumer.Consumer<byte[], byte[]>> readers,
            String topic, Supplier<OptionalInt> count, SnapshotTopic snapshots) {}

    /** The snapshot that this process has read or written last. @param number 0 for none */
    private record SavedSums(long number, Map<Integer, Long> offsets, long bytes) {
        static final SavedSums NONE = new SavedSums(0, Map.of(), 0);
    }

    /**
     * @param broker the clock that gives records their times
     * @param failures receives fatal failures
     */
    public LedgerFollower(LedgerSource source, Time time, Time broker, FailureHandler failures) {
        this.source = source;
        this.time = time;
        this.broker = broker;
        this.failures = failures;
        this.follower = new TopicFollower("tally", source.readers(), source.topic(), this, time, failures::fatal);
    }

    /** The sums of what is read. */
    public Tally tally() {
        return tally;
    }

    /**
     * Starts the thread.
     *
     * @param counted called once, on that thread, when the totals are complete for the first time
     */
    public void start(Runnable counted) {
        whenCounted = Optional.of(counted);
        follower.start();
    }

    /**
     * Calls the listener, in place of the one before, with each run whose records have been counted, on the reading
     * thread; it must not block.
     */
    public void whenAdded(Consumer<CrawlRun> listener) {
        whenAdded = listener;
    }

    @Override
    public OptionalInt count() {
        return source.count().get();
    }

    /** Takes the sums of the newest snapshot at the start, and when a record is deleted that it has not counted. */
    @Override
    public void begins(Map<TopicPartition, Long> beginnings) {
        if (loss.isEmpty() || !tally.reached(beginnings)) {
            String known = loss.orElse(source.snapshots().loss());
            source.snapshots().newest().ifPresent(this::restore);
            loss = Optional.of(known);
        }
    }

    /** Resumes behind the last counted record. */
    @Override
    public long begin(TopicPartition partition, long beginning, long end) {
        tally.await(Map.of(partition, end));
        long position = tally.position(partition);
        if (position < beginning) {
            failures.fatal("the totals of all crawls are not known: the records of " + partition + " below offset "
                    + beginning + " are deleted, and no snapshot has counted them (see docs/operations.md, Backup and"
                    + " restore)", new NoSuchElementException("no usable snapshot"));
        } else if (position > end) {
            failures.fatal("records are gone that were counted: " + partition + " ends at offset " + end + ", before "
                    + position, new NoSuchElementException("Kafka has lost records"));
        }
        return Math.max(position, beginning);
    }

    private synchronized void restore(LedgerSnapshot snapshot) {
        tally.restore(snapshot, partitions(snapshot.offsets()));
        LOG.info("took the sums of snapshot {} of the ledger, {} bytes", snapshot.number(), snapshot.bytes());
        saved = new SavedSums(snapshot.number(), snapshot.offsets(), snapshot.bytes());
        unsaved = 0;
    }

    /**
     * Whether the next snapshot saves more than it costs.
     *
     * @param least how many bytes of records the last one has not counted, at least
     */
    public synchronized boolean snapshotDue(long least) {
        return gone || unsaved >= Math.max(least, 2 * saved.bytes());
    }

    /** Writes a snapshot. */
    @FunctionalInterface
    public interface SnapshotWriter {
        /** Writes its records in their order. @throws RuntimeException if not all are written */
        void write(List<ProducerRecord<byte[], byte[]>> records) throws InterruptedException;
    }

    /**
     * Writes a snapshot of the sums.
     *
     * @return the offsets below which the snapshot before has counted all records: these may be deleted, as none of the
     * last two snapshots needs them
     */
    public Map<TopicPartition, Long> save(SnapshotWriter writer) throws InterruptedException {
        LedgerSnapshot next;
        long counted;
        synchronized (this) {
            next = tally.snapshot(saved.number() + 1, loss.orElseThrow());
            counted = unsaved;
        }
        writer.write(source.snapshots().records(next));
        synchronized (this) {
            gone = false;
            Map<TopicPartition, Long> before = partitions(saved.offsets());
            saved = new SavedSums(next.number(), next.offsets(), next.bytes());
            unsaved -= counted;
            return before;
        }
    }

    /** The topic of snapshots was made anew, so that it has none: the next one is due at once, if there was any. */
    public synchronized void snapshotsLost() {
        gone = saved.number() > 0;
        saved = new SavedSums(saved.number(), Map.of(), 0);
    }

    private Map<TopicPartition, Long> partitions(Map<Integer, Long> offsets) {
        return offsets.entrySet().stream().collect(
                Collectors.toMap(offset -> new TopicPartition(source.topic(), offset.getKey()), Map.Entry::getValue));
    }

    @Override
    public synchronized void add(ConsumerRecord<byte[], byte[]> entry) {
        TopicPartition partition = new TopicPartition(entry.topic(), entry.partition());
        if (entry.offset() < tally.position(partition)) {
            return;
        }
        try {
            Instant now = time.now();
            Instant at = now.minus(Duration.between(Instant.ofEpochMilli(entry.timestamp()), broker.now()));
            LedgerRecord ledger = Codec.ledger(entry.value());
            tally.add(entry.partition(), ledger, at, now);
            added.add(ledger.run());
        } finally {
            // Published only after the record is counted, or skipped: a foreign one must not prevent all crawls from
            // finishing.
            tally.counted(partition, entry.offset());
            unsaved += Math.max(0, entry.serializedValueSize());
        }
    }

    @Override
    public void moved(Map<TopicPartition, OffsetAndMetadata> next) {
        tally.moved(next);
        added.forEach(whenAdded);
        added.clear();
        tally.forget(time.now());
        if (whenCounted.isPresent() && tally.counting().isEmpty()) {
            whenCounted.get().run();
            whenCounted = Optional.empty();
        }
    }

    /** Stops the thread. */
    @Override
    public void close() {
        follower.close();
    }
}
