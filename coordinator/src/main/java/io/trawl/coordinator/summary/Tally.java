package io.trawl.coordinator.summary;

import java.util.Set;
import io.trawl.ledger.SeedDomains;
import io.trawl.ledger.LedgerRecord;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.Request.RequestId;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * The sums of the records of the {@code ledger} topic: the current run of each crawl, and the traffic of all runs.
 * {@link LedgerFollower} reads the records. Those of runs older than the newest one seen in their partition are
 * dropped: so all readers come to the same sums, in whatever order they read the partitions (docs/model/ledger.py).
 * Written by one thread, read by any.
 */
public final class Tally {
    /** All records below these offsets are counted. */
    private final Map<TopicPartition, Long> positions = new ConcurrentHashMap<>();
    /** The totals are complete when all records below these offsets are counted. */
    private final Map<TopicPartition, Long> awaited = new ConcurrentHashMap<>();
    private volatile boolean begun;
    private TallySums sums = new TallySums();
    /** Of all runs, as long as no record is added: it is asked for every second. */
    private Optional<Traffic> traffic = Optional.empty();
    private volatile long changes;

    /** All records of a partition below this offset are counted. */
    long position(TopicPartition partition) {
        return positions.computeIfAbsent(partition, _ -> 0L);
    }

    /** The record is counted, or skipped: to be called after {@link #add}. */
    void counted(TopicPartition partition, long offset) {
        positions.put(partition, offset + 1);
    }

    /** Everything below these offsets is counted; positions also move over transaction markers. */
    void moved(Map<TopicPartition, OffsetAndMetadata> next) {
        next.forEach((partition, offset) -> positions.merge(partition, offset.offset(), Math::max));
        begun = true;
    }

    /** Takes the sums of a snapshot. @param counted its offsets */
    synchronized void restore(LedgerSnapshot snapshot, Map<TopicPartition, Long> counted) {
        sums = snapshot.sums();
        positions.clear();
        positions.putAll(counted);
        traffic = Optional.empty();
        changes = changes + 1;
    }

    /** A snapshot of the sums; no record may be counted meanwhile. */
    synchronized LedgerSnapshot snapshot(long number, String loss) {
        Map<Integer, Long> offsets = new HashMap<>();
        positions.forEach((partition, offset) -> offsets.put(partition.partition(), offset));
        return LedgerSnapshot.of(number, loss, offsets, sums);
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

    /** Drops work that nobody asks for any more. */
    synchronized void forget(Instant now) {
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

    /** The epoch of the newest run of a crawl that has begun by its records; 0 if there is none. */
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

    /** Totals of the crawls that were active last, the last one first, and of all others together. */
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
}
