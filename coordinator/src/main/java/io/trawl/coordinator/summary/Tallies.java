package io.trawl.coordinator.summary;

import io.trawl.ledger.LedgerRecord;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.RefusalReason;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The tallies of the present run of each crawl. A record of an older run than the newest seen is late and is dropped. Thread-safe. */
final class Tallies {
    private final Map<CrawlId, RunTally> byCrawl = new HashMap<>();
    private final Map<CrawlId, Integer> newestEpochs = new HashMap<>();
    /** What the runs before the present ones have left. */
    private final Map<Integer, LevelCounts> pastLevels = new TreeMap<>();
    private final Map<RefusalReason, Long> pastRefusals = new EnumMap<>(RefusalReason.class);
    /** Of all runs together. */
    private final Activity all = new Activity();

    /**
     * Adds what one transaction did.
     *
     * @param at when it was done
     */
    synchronized void add(LedgerRecord ledger, Instant at, Instant now) {
        CrawlId crawl = ledger.run().crawl();
        int newest = newestEpochs.merge(crawl, ledger.run().epoch(), Math::max);
        if (ledger.run().epoch() < newest) {
            return;
        }
        if (Optional.ofNullable(byCrawl.get(crawl)).filter(known -> known.run().epoch() < newest).isPresent()) {
            over(byCrawl.remove(crawl));
        }
        // The run after that of a deleted crawl has begun with nothing, and may never have more.
        if (!ledger.isEmpty()) {
            RunTally tally = byCrawl.computeIfAbsent(crawl, c -> new RunTally(ledger.run()));
            all.add(tally.add(ledger, at, now), at, now);
        }
    }

    private void over(RunTally tally) {
        tally.levels().forEach((priority, counts) -> pastLevels.merge(priority, counts.over(), LevelCounts::plus));
        tally.refusals().forEach((reason, count) -> pastRefusals.merge(reason, count, Long::sum));
    }

    /** What has gone through all priorities, whatever the run. */
    synchronized Traffic traffic() {
        Map<Integer, LevelCounts> levels = new TreeMap<>(pastLevels);
        Map<RefusalReason, Long> refusals = new TreeMap<>(pastRefusals);
        byCrawl.values().forEach(tally -> {
            tally.levels().forEach((priority, counts) -> levels.merge(priority, counts, LevelCounts::plus));
            tally.refusals().forEach((reason, count) -> refusals.merge(reason, count, Long::sum));
        });
        return new Traffic(levels, refusals);
    }

    /** How many URLs the ledger knows of the present runs of all crawls. */
    synchronized long urls() {
        return byCrawl.values().stream().mapToLong(RunTally::urls).sum();
    }

    /** Where a run stands; {@link RunStanding#NONE} if nothing is known of it. */
    synchronized RunStanding standing(CrawlRun run) {
        return Optional.ofNullable(byCrawl.get(run.crawl())).filter(t -> t.run().equals(run)).map(RunTally::standing)
                .orElse(RunStanding.NONE);
    }

    /** How fast a run goes; {@link Pace#NONE} if nothing is known of it. */
    synchronized Pace pace(CrawlRun run, Instant since, Instant now) {
        return Optional.ofNullable(byCrawl.get(run.crawl())).filter(t -> t.run().equals(run)).map(t -> t.pace(since, now))
                .orElse(Pace.NONE);
    }

    /** What was done lately in all runs together. */
    synchronized Activity.Steps recent(Instant now) {
        return all.steps(now);
    }
}
