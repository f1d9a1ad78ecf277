package io.trawl.coordinator.summary;

import io.trawl.codec.Json;
import io.trawl.coordinator.summary.Activity.Work;
import io.trawl.coordinator.summary.TallyState.DayPages;
import io.trawl.coordinator.summary.TallyState.NewestRun;
import io.trawl.coordinator.summary.TallyState.RunState;
import io.trawl.coordinator.summary.Traffic.LevelCounts;
import io.trawl.ledger.LedgerRecord;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.RefusalReason;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The sums of a part of the ledger: the current run of each crawl, and the traffic of all runs. Records of runs older
 * than the newest one seen in their partition are dropped: so all readers come to the same sums, in whatever order they
 * read the partitions (docs/model/ledger.py). Not thread-safe.
 */
final class TallySums {
    private final Map<Place, RunTally> byPlace = new HashMap<>();
    private final Map<CrawlRun, RunTally> byRun = new HashMap<>();
    private final Map<Place, Integer> newestEpochs = new HashMap<>();
    /** The traffic of earlier runs. */
    private final Map<Integer, LevelCounts> pastLevels = new TreeMap<>();
    private final Map<RefusalReason, Long> pastRefusals = new EnumMap<>(RefusalReason.class);
    /** The work of all runs together. */
    private final Activity all = new Activity();
    private final Activity allByMinutes = new Activity(Activity.LONG_STEP, Activity.LONG_REACH);
    private final Map<CrawlId, DayPages> days = new HashMap<>();
    private long forgotten;

    /**
     * A crawl's records in one partition. A run has one; the next run may have another, and partitions are read in any
     * order.
     */
    private record Place(int partition, CrawlId crawl) {}

    /**
     * Adds the record of one transaction.
     *
     * @param at when the record was written, by the clock of this process
     * @return whether it counts
     */
    boolean add(int partition, LedgerRecord ledger, Instant at, Instant now) {
        CrawlId crawl = ledger.run().crawl();
        Place place = new Place(partition, crawl);
        int newest = newestEpochs.merge(place, ledger.run().epoch(), Math::max);
        if (ledger.run().epoch() < newest) {
            return false;
        }
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
            Work work = tally.add(ledger, at, now);
            all.add(work, at, now);
            allByMinutes.add(work, at, now);
            if (work.pages() > 0) {
                days.merge(crawl, new DayPages(crawl, day(at), work.pages()), DayPages::plus);
            }
        }
        return true;
    }

    private static long day(Instant moment) {
        return Math.floorDiv(moment.getEpochSecond(), Duration.ofDays(1).toSeconds());
    }

    private void over(RunTally tally) {
        tally.levels().forEach((priority, counts) -> pastLevels.merge(priority, counts.over(), LevelCounts::plus));
        tally.refusals().forEach((reason, count) -> pastRefusals.merge(reason, count, Long::sum));
    }

    /** Once a minute: a deployment has thousands of runs that add nothing more. */
    void forget(Instant now) {
        long minute = Math.floorDiv(now.getEpochSecond(), Duration.ofMinutes(1).toSeconds());
        if (minute != forgotten) {
            forgotten = minute;
            byPlace.values().forEach(tally -> tally.forget(now));
        }
    }

    /** The current runs. */
    Collection<RunTally> runs() {
        return byPlace.values();
    }

    /** A run, if it is a current one. */
    Optional<RunTally> run(CrawlRun run) {
        return Optional.ofNullable(byRun.get(run));
    }

    /** The epoch of the newest run of a crawl that has begun by its records; 0 if there is none. */
    int newestEpoch(CrawlId crawl) {
        return runs().stream().map(RunTally::run).filter(run -> run.crawl().equals(crawl)).mapToInt(CrawlRun::epoch)
                .max().orElse(0);
    }

    /** The traffic of all priorities, over all runs. */
    Traffic traffic() {
        Map<Integer, LevelCounts> levels = new TreeMap<>(pastLevels);
        Map<RefusalReason, Long> refusals = new TreeMap<>(pastRefusals);
        byPlace.values().forEach(tally -> {
            tally.levels().forEach((priority, counts) -> levels.merge(priority, counts, LevelCounts::plus));
            tally.refusals().forEach((reason, count) -> refusals.merge(reason, count, Long::sum));
        });
        return new Traffic(levels, refusals);
    }

    /** The pages of some crawls on the day of a moment, in UTC. */
    long pagesOfDay(Predicate<CrawlId> crawls, Instant now) {
        return days.values().stream().filter(pages -> crawls.test(pages.crawl()) && pages.day() == day(now))
                .mapToLong(DayPages::pages).sum();
    }

    /** The work of all runs together, by step; see {@link Activity#steps}. */
    List<Work> recent(Instant now) {
        return all.steps(now);
    }

    /** The same by long steps. @param most how many */
    List<Work> minutes(Instant now, int most) {
        return allByMinutes.steps(now, most);
    }

    /** Writes the sums: the length of the state, the state as JSON, and the ids that wait, run by run. */
    void writeTo(DataOutputStream out) throws IOException {
        List<RunTally> order = new ArrayList<>();
        List<RunState> runs = new ArrayList<>();
        byPlace.forEach((place, tally) -> {
            order.add(tally);
            runs.add(tally.state(place.partition()));
        });
        byte[] state = Json.bytes(new TallyState(runs,
                newestEpochs.entrySet().stream()
                        .map(newest -> new NewestRun(newest.getKey().partition(),
                                new CrawlRun(newest.getKey().crawl(), newest.getValue())))
                        .toList(),
                pastLevels, pastRefusals, all.bySteps(), allByMinutes.bySteps(), List.copyOf(days.values())));
        out.writeInt(state.length);
        out.write(state);
        for (RunTally tally : order) {
            tally.writeTo(out);
        }
    }

    /** Reads what {@link #writeTo} wrote. */
    static TallySums readFrom(DataInputStream in) throws IOException {
        TallyState state = Json.read(in.readNBytes(in.readInt()), TallyState.class);
        TallySums sums = new TallySums();
        for (RunState run : state.runs()) {
            RunTally tally = RunTally.of(run, in);
            sums.byPlace.put(new Place(run.partition(), run.run().crawl()), tally);
            sums.byRun.put(run.run(), tally);
        }
        state.newest().forEach(newest -> sums.newestEpochs.put(new Place(newest.partition(), newest.run().crawl()),
                newest.run().epoch()));
        sums.pastLevels.putAll(state.pastLevels());
        sums.pastRefusals.putAll(state.pastRefusals());
        sums.all.with(state.recent());
        sums.allByMinutes.with(state.minutes());
        state.days().forEach(pages -> sums.days.put(pages.crawl(), pages));
        return sums;
    }
}
