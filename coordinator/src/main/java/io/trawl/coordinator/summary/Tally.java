package io.trawl.coordinator.summary;

import io.trawl.coordinator.topic.TopicFollower;
import java.util.Set;
import io.trawl.ledger.SeedDomains;
import io.trawl.codec.Codec;
import io.trawl.ledger.LedgerRecord;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.Request.RequestId;
import io.trawl.time.Time;
import io.trawl.worker.WorkerContext.FailureHandler;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all committed records of the {@code ledger} topic on a thread of its own and sums them up: the current run of
 * each crawl, and the traffic of all runs. Every coordinator runs one, so that a new leader need not read the topic
 * first. No crawl can finish without it, so it continues after every exception.
 *
 * <p>
 * Every record counts once, even if it is read again: a repeated answer would be ignored, but an id that is emitted
 * again after its answer would wait for ever. Records of runs older than the newest one seen in their partition are
 * dropped: so all readers come to the same sums, in whatever order they read the partitions (docs/model/ledger.py).
 * Written by one thread, read by any.
 */
public final class Tally implements TopicFollower.Reader, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Tally.class);
    private final TopicFollower follower;
    private final LedgerSource source;
    private final FailureHandler failures;
    private final Time time;
    private final Time broker;
    /** All records below these offsets are counted. */
    private final Map<TopicPartition, Long> positions = new ConcurrentHashMap<>();
    /** The totals are complete when all records below these offsets are counted. */
    private final Map<TopicPartition, Long> awaited = new ConcurrentHashMap<>();
    private volatile boolean begun;
    private Optional<Runnable> whenCounted = Optional.empty();
    private TallySums sums = new TallySums();
    /** What snapshots name that this process writes: a later loss in Kafka ends it. Empty before it reads. */
    private Optional<String> loss = Optional.empty();
    private SavedSums saved = SavedSums.NONE;
    /** The size of the records that the last snapshot has not counted. */
    private long unsaved;
    /** Of all runs, as long as no record is added: it is asked for every second. */
    private Optional<Traffic> traffic = Optional.empty();
    /** The runs with records since the last poll; belongs to the reading thread. */
    private final Set<CrawlRun> added = new HashSet<>();
    private volatile Consumer<CrawlRun> whenAdded = _ -> {};
    private volatile long changes;

    /**
     * Where the records of the ledger are, and the sums of those that are deleted.
     *
     * @param readers creates a consumer without a group that skips nothing; called again after a consumer failed
     * @param topic of the records
     * @param count how many partitions carry records; may grow
     */
    public record LedgerSource(Supplier<org.apache.kafka.clients.consumer.Consumer<byte[], byte[]>> readers,
            String topic, Supplier<OptionalInt> count, SnapshotTopic snapshots) {}

    /**
     * The snapshot that this process has read or written last.
     *
     * @param number 0 for none
     * @param offsets by partition, the first record that it has not counted
     */
    private record SavedSums(long number, Map<Integer, Long> offsets, long bytes) {
        static final SavedSums NONE = new SavedSums(0, Map.of(), 0);
    }

    /**
     * @param broker the clock that gives records their times
     * @param failures receives fatal failures
     */
    public Tally(LedgerSource source, Time time, Time broker, FailureHandler failures) {
        this.source = source;
        this.time = time;
        this.broker = broker;
        this.failures = failures;
        this.follower = new TopicFollower("tally", source.readers(), source.topic(), this, time, failures::fatal);
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
        if (loss.isEmpty() || !reached(beginnings)) {
            String known = loss.orElse(source.snapshots().loss());
            source.snapshots().newest().ifPresent(this::restore);
            loss = Optional.of(known);
        }
    }

    /** Resumes behind the last counted record. */
    @Override
    public long begin(TopicPartition partition, long beginning, long end) {
        awaited.merge(partition, end, Math::max);
        long position = positions.computeIfAbsent(partition, _ -> 0L);
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
        sums = snapshot.sums();
        LOG.info("took the sums of snapshot {} of the ledger, {} bytes", snapshot.number(), snapshot.bytes());
        positions.clear();
        positions.putAll(partitions(snapshot.offsets()));
        saved = new SavedSums(snapshot.number(), snapshot.offsets(), snapshot.bytes());
        unsaved = 0;
        traffic = Optional.empty();
        changes = changes + 1;
    }

    /**
     * Whether the next snapshot saves more than it costs.
     *
     * @param least how many bytes of records the last one has not counted, at least
     */
    public synchronized boolean snapshotDue(long least) {
        return unsaved >= Math.max(least, 2 * saved.bytes());
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
            Map<Integer, Long> offsets = new HashMap<>();
            positions.forEach((partition, offset) -> offsets.put(partition.partition(), offset));
            next = LedgerSnapshot.of(saved.number() + 1, loss.orElseThrow(), offsets, sums);
            counted = unsaved;
        }
        writer.write(source.snapshots().records(next));
        synchronized (this) {
            Map<TopicPartition, Long> before = partitions(saved.offsets());
            saved = new SavedSums(next.number(), next.offsets(), next.bytes());
            unsaved -= counted;
            return before;
        }
    }

    /** The topic of snapshots was made anew, so that it has none. */
    public synchronized void snapshotsLost() {
        saved = new SavedSums(saved.number(), Map.of(), 0);
    }

    private Map<TopicPartition, Long> partitions(Map<Integer, Long> offsets) {
        return offsets.entrySet().stream().collect(
                Collectors.toMap(offset -> new TopicPartition(source.topic(), offset.getKey()), Map.Entry::getValue));
    }

    @Override
    public synchronized void add(ConsumerRecord<byte[], byte[]> entry) {
        TopicPartition partition = new TopicPartition(entry.topic(), entry.partition());
        if (entry.offset() < positions.getOrDefault(partition, 0L)) {
            return;
        }
        try {
            Instant now = time.now();
            Instant at = now.minus(Duration.between(Instant.ofEpochMilli(entry.timestamp()), broker.now()));
            LedgerRecord ledger = Codec.ledger(entry.value());
            add(entry.partition(), ledger, at, now);
            added.add(ledger.run());
        } finally {
            // Published only after the record is counted, or skipped: a foreign one must not prevent all crawls from
            // finishing.
            positions.put(partition, entry.offset() + 1);
            unsaved += Math.max(0, entry.serializedValueSize());
        }
    }

    @Override
    public void moved(Map<TopicPartition, OffsetAndMetadata> next) {
        next.forEach((partition, offset) -> positions.merge(partition, offset.offset(), Math::max));
        begun = true;
        added.forEach(whenAdded);
        added.clear();
        forget(time.now());
        if (whenCounted.isPresent() && counting().isEmpty()) {
            whenCounted.get().run();
            whenCounted = Optional.empty();
        }
    }

    /**
     * Adds the record of one transaction.
     *
     * @param at when the record was written, by the clock of this process
     */
    synchronized void add(int partition, LedgerRecord ledger, Instant at, Instant now) {
        if (sums.add(partition, ledger, at, now)) {
            traffic = Optional.empty();
            changes = changes + 1;
        }
    }

    private synchronized void forget(Instant now) {
        sums.forget(now);
    }

    /** Grows when the sums change. */
    public long changes() {
        return changes;
    }

    /** The ids that wait, of all runs that are not over. */
    public synchronized Map<CrawlRun, Unanswered> waiting() {
        Map<CrawlRun, Unanswered> waiting = new HashMap<>();
        sums.runs().forEach(tally -> waiting.put(tally.run(), tally.waiting()));
        return waiting;
    }

    /** The newest epoch of a crawl of which there is a record; 0 if there is none. */
    public synchronized int newestEpoch(CrawlId crawl) {
        return sums.newestEpoch(crawl);
    }

    /** Whether all records below these offsets of the ledger are counted, with no open transaction below them. */
    public boolean reached(Map<TopicPartition, Long> marks) {
        return marks.entrySet().stream().allMatch(mark -> positions.getOrDefault(mark.getKey(), 0L) >= mark.getValue());
    }

    /** The totals are incomplete until all records below these offsets of the ledger are counted, too. */
    public void await(Map<TopicPartition, Long> marks) {
        marks.forEach((partition, offset) -> awaited.merge(partition, offset, Math::max));
    }

    /**
     * The progress of the count, while the totals are incomplete: after the start, after a consumer failed, and after
     * {@link #await}.
     */
    public Optional<Counting> counting() {
        if (begun && reached(awaited)) {
            return Optional.empty();
        }
        long counted = awaited.entrySet().stream()
                .mapToLong(mark -> Math.min(mark.getValue(), positions.getOrDefault(mark.getKey(), 0L))).sum();
        return Optional.of(new Counting(counted, awaited.values().stream().mapToLong(Long::longValue).sum()));
    }

    /** The traffic of all priorities, over all runs. */
    public synchronized Traffic traffic() {
        Traffic known = traffic.orElseGet(sums::traffic);
        traffic = Optional.of(known);
        return known;
    }

    /**
     * The pages of some crawls on the day of a moment, in UTC: those whose answers were written to the ledger on that
     * day, of deleted crawls, too.
     */
    public synchronized long pagesOfDay(Predicate<CrawlId> crawls, Instant now) {
        return sums.pagesOfDay(crawls, now);
    }

    /** The number of URLs in the ledger of the current runs of all crawls. */
    public synchronized long urls() {
        return sums.runs().stream().mapToLong(RunTally::urls).sum();
    }

    /** The number of URLs in the ledger of a run; 0 if it is not the current one. */
    public synchronized long urls(CrawlRun run) {
        return sums.run(run).map(RunTally::urls).orElse(0L);
    }

    /**
     * The totals of the present runs.
     *
     * @param newest of the crawls that were active last, the last one first
     * @param others of all others together
     */
    record ActiveRuns(Map<CrawlId, Totals> newest, Totals others) {}

    /**
     * The totals of the present runs.
     *
     * @param most how many have a place of their own
     * @param never the name of a crawl that has none
     */
    synchronized ActiveRuns active(int most, String never) {
        List<RunTally> runs = sums.runs().stream().sorted(
                Comparator.comparing(RunTally::last).reversed().thenComparing(tally -> tally.run().crawl().value()))
                .toList();
        Map<CrawlId, Totals> newest = new LinkedHashMap<>();
        Totals others = Totals.NONE;
        for (RunTally tally : runs) {
            if (newest.size() < most && !tally.run().crawl().value().equals(never)) {
                newest.put(tally.run().crawl(), tally.totals());
            } else {
                others = others.plus(tally.totals());
            }
        }
        return new ActiveRuns(newest, others);
    }

    /** The totals of a run, without a copy of anything else; {@link Totals#NONE} for an unknown run. */
    public synchronized Totals totals(CrawlRun run) {
        return sums.run(run).map(RunTally::totals).orElse(Totals.NONE);
    }

    /** The time of the last record of a run; {@link Instant#EPOCH} for an unknown run. */
    public synchronized Instant last(CrawlRun run) {
        return sums.run(run).map(RunTally::last).orElse(Instant.EPOCH);
    }

    /** The snapshot of a run; {@link RunSnapshot#NONE} for an unknown run. */
    public synchronized RunSnapshot snapshot(CrawlRun run) {
        return sums.run(run).map(RunTally::snapshot).orElse(RunSnapshot.NONE);
    }

    /** All domains that a run accepts for its seeds, with the version of the set; version 0 for none. */
    public synchronized SeedDomains domains(CrawlRun run) {
        return sums.run(run).map(tally -> new SeedDomains(tally.domainsVersion(), tally.domains()))
                .orElse(new SeedDomains(0, Set.of()));
    }

    /** How many domains a run accepts for its seeds. */
    public synchronized int domainCount(CrawlRun run) {
        return sums.run(run).map(tally -> tally.domains().size()).orElse(0);
    }

    /** The version of this set. */
    public synchronized long domainsVersion(CrawlRun run) {
        return sums.run(run).map(RunTally::domainsVersion).orElse(0L);
    }

    /** Whether a run accepts a domain for a seed. */
    public synchronized boolean accepts(CrawlRun run, String domain) {
        return sums.run(run).filter(tally -> tally.domains().contains(domain)).isPresent();
    }

    /** How many requests of a run each order has moved to another priority, by the number of the order. */
    public synchronized Map<Integer, Long> moved(CrawlRun run) {
        return sums.run(run).map(RunTally::moved).orElse(Map.of());
    }

    /** Those of these requests of a run that are emitted and have no answer. */
    public synchronized List<RequestId> waiting(CrawlRun run, List<RequestId> requests) {
        return sums.run(run).map(tally -> requests.stream().filter(tally::waits).toList()).orElse(List.of());
    }

    /** The pace of a run; {@link Pace#NONE} for an unknown run. */
    public synchronized Pace pace(CrawlRun run, Instant since, Instant now) {
        return sums.run(run).map(tally -> tally.pace(since, now)).orElse(Pace.NONE);
    }

    /** The work of all runs together, by step; see {@link Activity#steps}. */
    public synchronized List<Activity.Work> recent(Instant now) {
        return sums.recent(now);
    }

    /**
     * The work of the last minutes, of all runs or of one: the current run of a crawl. Read from the ledger like all
     * totals, so a coordinator that has just started knows it.
     *
     * @param most how many minutes, a day at most
     */
    public synchronized List<Activity.Work> minutes(Optional<CrawlRun> run, Instant now, int most) {
        return run.isEmpty()
                ? sums.minutes(now, most)
                : sums.run(run.get()).map(tally -> tally.minutes(now, most)).orElse(List.of());
    }

    /** Stops the thread. */
    @Override
    public void close() {
        follower.close();
    }
}
