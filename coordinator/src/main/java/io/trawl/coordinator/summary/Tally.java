package io.trawl.coordinator.summary;

import java.util.Set;
import io.trawl.ledger.SeedDomains;
import io.trawl.channel.TopicFollower;
import io.trawl.codec.Codec;
import io.trawl.ledger.LedgerRecord;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request.RequestId;
import io.trawl.time.Time;
import io.trawl.worker.WorkerContext.FailureHandler;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

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
    private final TopicFollower follower;
    private final Supplier<OptionalInt> count;
    private final Time time;
    private final Time broker;
    /** All records below these offsets are counted. */
    private final Map<TopicPartition, Long> positions = new ConcurrentHashMap<>();
    /** The totals are complete when all records below these offsets are counted. */
    private final Map<TopicPartition, Long> awaited = new ConcurrentHashMap<>();
    private volatile boolean begun;
    private Optional<Runnable> whenCounted = Optional.empty();
    private final Map<Place, RunTally> byPlace = new HashMap<>();
    private final Map<CrawlRun, RunTally> byRun = new HashMap<>();
    private final Map<Place, Integer> newestEpochs = new HashMap<>();
    /** The traffic of earlier runs. */
    private final Map<Integer, Traffic.LevelCounts> pastLevels = new TreeMap<>();
    private final Map<RefusalReason, Long> pastRefusals = new EnumMap<>(RefusalReason.class);
    /** The work of all runs together. */
    private final Activity all = new Activity();
    private final Activity allByMinutes = new Activity(Activity.LONG_STEP, Activity.LONG_REACH);
    private final Map<CrawlId, DayPages> days = new HashMap<>();
    private long forgotten;
    /** Of all runs, as long as no record is added: it is asked for every second. */
    private Optional<Traffic> traffic = Optional.empty();
    /** The runs with records since the last poll; belongs to the reading thread. */
    private final Set<CrawlRun> added = new HashSet<>();
    private volatile Consumer<CrawlRun> whenAdded = _ -> {};
    private volatile long changes;

    /**
     * A crawl's records in one partition. A run has one; the next run may have another, and partitions are read in any
     * order.
     */
    private record Place(int partition, CrawlId crawl) {}

    /** The pages of all runs of a crawl on the last day in UTC of which there are any. */
    private record DayPages(long day, long pages) {
        DayPages plus(DayPages more) {
            return more.day > day ? more : more.day < day ? this : new DayPages(day, pages + more.pages);
        }

        static long of(Instant moment) {
            return Math.floorDiv(moment.getEpochSecond(), Duration.ofDays(1).toSeconds());
        }
    }

    /**
     * @param readers creates a consumer without a group; called again after a consumer failed
     * @param count how many partitions carry records; may grow
     * @param broker the clock that gives records their times
     * @param failureHandler receives fatal failures
     */
    public Tally(Supplier<org.apache.kafka.clients.consumer.Consumer<byte[], byte[]>> readers, String topic,
            Supplier<OptionalInt> count, Time time, Time broker, FailureHandler failureHandler) {
        this.time = time;
        this.broker = broker;
        this.count = count;
        this.follower = new TopicFollower("tally", readers, topic, this, time, failureHandler::fatal);
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
        return count.get();
    }

    /** Resumes behind the last counted record. */
    @Override
    public long begin(TopicPartition partition, long beginning, long end) {
        awaited.merge(partition, end, Math::max);
        return positions.computeIfAbsent(partition, p -> beginning);
    }

    @Override
    public void add(ConsumerRecord<byte[], byte[]> entry) {
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
        CrawlId crawl = ledger.run().crawl();
        Place place = new Place(partition, crawl);
        int newest = newestEpochs.merge(place, ledger.run().epoch(), Math::max);
        if (ledger.run().epoch() < newest) {
            return;
        }
        traffic = Optional.empty();
        changes = changes + 1;
        RunTally known = byPlace.get(place);
        if (known != null && known.run().epoch() < newest) {
            over(known);
            byPlace.remove(place);
            byRun.remove(known.run());
        }
        // The record that closes a run is empty and names the next one, which may have another partition, or never
        // begin.
        if (!ledger.isEmpty()) {
            RunTally tally = byPlace.computeIfAbsent(place, _ -> new RunTally(ledger.run()));
            byRun.put(ledger.run(), tally);
            Activity.Work work = tally.add(ledger, at, now);
            all.add(work, at, now);
            allByMinutes.add(work, at, now);
            if (work.pages() > 0) {
                days.merge(crawl, new DayPages(DayPages.of(at), work.pages()), DayPages::plus);
            }
        }
    }

    /** Once a minute: a deployment has thousands of runs that add nothing more. */
    private synchronized void forget(Instant now) {
        long minute = Math.floorDiv(now.getEpochSecond(), Duration.ofMinutes(1).toSeconds());
        if (minute != forgotten) {
            forgotten = minute;
            byPlace.values().forEach(tally -> tally.forget(now));
        }
    }

    private void over(RunTally tally) {
        tally.levels()
                .forEach((priority, counts) -> pastLevels.merge(priority, counts.over(), Traffic.LevelCounts::plus));
        tally.refusals().forEach((reason, count) -> pastRefusals.merge(reason, count, Long::sum));
    }

    /** Grows when the sums change. */
    public long changes() {
        return changes;
    }

    /** The ids that wait, of all runs that are not over. */
    public synchronized Map<CrawlRun, Unanswered> waiting() {
        Map<CrawlRun, Unanswered> waiting = new HashMap<>();
        byRun.forEach((run, tally) -> waiting.put(run, tally.waiting()));
        return waiting;
    }

    /** The newest epoch of a crawl of which there is a record; 0 if there is none. */
    public synchronized int newestEpoch(CrawlId crawl) {
        return newestEpochs.entrySet().stream().filter(place -> place.getKey().crawl().equals(crawl))
                .mapToInt(Map.Entry::getValue).max().orElse(0);
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
        Traffic known = traffic.orElseGet(this::sumOfTraffic);
        traffic = Optional.of(known);
        return known;
    }

    private Traffic sumOfTraffic() {
        Map<Integer, Traffic.LevelCounts> levels = new TreeMap<>(pastLevels);
        Map<RefusalReason, Long> refusals = new TreeMap<>(pastRefusals);
        byPlace.values().forEach(tally -> {
            tally.levels().forEach((priority, counts) -> levels.merge(priority, counts, Traffic.LevelCounts::plus));
            tally.refusals().forEach((reason, count) -> refusals.merge(reason, count, Long::sum));
        });
        return new Traffic(levels, refusals);
    }

    /**
     * The pages of some crawls on the day of a moment, in UTC: those whose answers were written to the ledger on that
     * day, of deleted crawls, too.
     */
    public synchronized long pagesOfDay(Predicate<CrawlId> crawls, Instant now) {
        return days.entrySet().stream().filter(e -> crawls.test(e.getKey()) && e.getValue().day() == DayPages.of(now))
                .mapToLong(e -> e.getValue().pages()).sum();
    }

    /** The number of URLs in the ledger of the current runs of all crawls. */
    public synchronized long urls() {
        return byPlace.values().stream().mapToLong(RunTally::urls).sum();
    }

    /** The number of URLs in the ledger of a run; 0 if it is not the current one. */
    public synchronized long urls(CrawlRun run) {
        return current(run).map(RunTally::urls).orElse(0L);
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
        List<RunTally> runs = byPlace.values().stream().sorted(
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
        return current(run).map(RunTally::totals).orElse(Totals.NONE);
    }

    /** The time of the last record of a run; {@link Instant#EPOCH} for an unknown run. */
    public synchronized Instant last(CrawlRun run) {
        return current(run).map(RunTally::last).orElse(Instant.EPOCH);
    }

    /** The snapshot of a run; {@link RunSnapshot#NONE} for an unknown run. */
    public synchronized RunSnapshot snapshot(CrawlRun run) {
        return current(run).map(RunTally::snapshot).orElse(RunSnapshot.NONE);
    }

    /** All domains that a run accepts for its seeds, with the version of the set; version 0 for none. */
    public synchronized SeedDomains domains(CrawlRun run) {
        return current(run).map(tally -> new SeedDomains(tally.domainsVersion(), tally.domains()))
                .orElse(new SeedDomains(0, Set.of()));
    }

    /** How many domains a run accepts for its seeds. */
    public synchronized int domainCount(CrawlRun run) {
        return current(run).map(tally -> tally.domains().size()).orElse(0);
    }

    /** The version of this set. */
    public synchronized long domainsVersion(CrawlRun run) {
        return current(run).map(RunTally::domainsVersion).orElse(0L);
    }

    /** Whether a run accepts a domain for a seed. */
    public synchronized boolean accepts(CrawlRun run, String domain) {
        return current(run).filter(tally -> tally.domains().contains(domain)).isPresent();
    }

    /** How many requests of a run each order has moved to another priority, by the number of the order. */
    public synchronized Map<Integer, Long> moved(CrawlRun run) {
        return current(run).map(RunTally::moved).orElse(Map.of());
    }

    /** Those of these requests of a run that are emitted and have no answer. */
    public synchronized List<RequestId> waiting(CrawlRun run, List<RequestId> requests) {
        return current(run).map(tally -> requests.stream().filter(tally::waits).toList()).orElse(List.of());
    }

    /** The pace of a run; {@link Pace#NONE} for an unknown run. */
    public synchronized Pace pace(CrawlRun run, Instant since, Instant now) {
        return current(run).map(tally -> tally.pace(since, now)).orElse(Pace.NONE);
    }

    private Optional<RunTally> current(CrawlRun run) {
        return Optional.ofNullable(byRun.get(run));
    }

    /** The work of all runs together, by step; see {@link Activity#steps}. */
    public synchronized List<Activity.Work> recent(Instant now) {
        return all.steps(now);
    }

    /**
     * The work of the last minutes, of all runs or of one: the current run of a crawl. Read from the ledger like all
     * totals, so a coordinator that has just started knows it.
     *
     * @param most how many minutes, a day at most
     */
    public synchronized List<Activity.Work> minutes(Optional<CrawlRun> run, Instant now, int most) {
        return run.isEmpty()
                ? allByMinutes.steps(now, most)
                : current(run.get()).map(tally -> tally.minutes(now, most)).orElse(List.of());
    }

    /** Stops the thread. */
    @Override
    public void close() {
        follower.close();
    }
}
