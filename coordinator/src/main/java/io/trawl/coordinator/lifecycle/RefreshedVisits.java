package io.trawl.coordinator.lifecycle;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.RunVisits;
import io.trawl.control.RunVisits.VisitSource;
import io.trawl.control.VisitChoice;
import io.trawl.coordinator.summary.Tally;
import io.trawl.model.ModuleKind;
import io.trawl.module.Registration;
import io.trawl.pattern.UrlPattern;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * From which visits of a run the next one chooses, and how. Belongs to the leader's thread.
 *
 * @param tally what the ledger says of runs
 */
public record RefreshedVisits(ControlState control, Tally tally, StageProgress progress, WorkerContext context) {
    private static final Duration A_DAY = Duration.ofDays(1);
    private static final Duration LOOK = Duration.ofMillis(10);
    /** The thread of the leader waits meanwhile. */
    private static final Duration COUNTED_WITHIN = Duration.ofSeconds(5);

    /** Whether a late answer has found more: after a loss in Redis that may happen when a run is finished. */
    boolean goesOn(CrawlStatus of) {
        return of.finished() && tally.totals(of.run()).waiting() > 0;
    }

    /** @throws IllegalMoveException if the run has kept nothing, or not all */
    VisitSource of(CrawlStatus of, CrawlDefinition definition, boolean start, VisitChoice choice)
            throws InterruptedException {
        RunVisits kept = of.visits()
                .orElseThrow(() -> new IllegalMoveException(of,
                        of.run() + " has kept nothing for a refresh: begin a fresh run with refresh in its definition;"
                                + " it is compared with " + of.run() + ", too"));
        if (!of.definition().identity().equals(definition.identity())) {
            throw new IllegalMoveException(of,
                    "the identity rules have changed, so what it has kept is of other pages: begin a fresh run");
        }
        if (control.kafkaLoss().filter(loss -> !loss.repaired()).isPresent()) {
            throw new IllegalMoveException(of,
                    "Kafka has lost records, and what led to visits is handled again: try again in a minute");
        }
        OptionalLong end = countedVisits();
        if (end.isEmpty()) {
            throw new IllegalMoveException(of, "a transaction of another process is open: try again in a minute");
        }
        if (leavesVisits(of)) {
            throw new IllegalMoveException(of, of.run() + " has not visited all pages, and those would be lost:"
                    + " raise its limit, so that it goes on, or begin a fresh run");
        }
        Optional<String> plugins = plugins(context.store().registrar().all(ModuleKind.ANALYZER),
                context.plugins().digest());
        return VisitSource.of(of.run().epoch(), kept, end.getAsLong(), start, choice.readWith(plugins));
    }

    /**
     * The plug-ins of analyzers: while they differ, no page has been read with them.
     *
     * @param own those of this process, which analyzers have that start with it
     */
    static Optional<String> plugins(List<Registration> analyzers, Optional<String> own) {
        return analyzers.isEmpty()
                ? own
                : Optional.of(analyzers.stream().map(analyzer -> analyzer.plugins().orElse("")).distinct().sorted()
                        .collect(Collectors.joining(","))).filter(each -> !each.isEmpty());
    }

    /**
     * Waits until all is counted that was written before. In this order: what a transaction below the end has emitted
     * is counted, or waited for.
     *
     * @return the end of {@code visits} at the call; empty if a transaction stays open
     */
    private OptionalLong countedVisits() throws InterruptedException {
        TopicPartition visits = new TopicPartition(context.kafka().topics().visits(), 0);
        long since = context.time().nanos();
        long end = progress.end(context.kafka().topics().visits());
        while (progress.stable(context.kafka().topics().visits()).getOrDefault(visits, 0L) < end) {
            if (context.time().nanos() - since > COUNTED_WITHIN.toNanos()) {
                return OptionalLong.empty();
            }
            context.time().pause(LOOK);
        }
        Map<TopicPartition, Long> ledger = progress.ends(context.kafka().topics().ledger());
        while (!tally.reached(ledger)) {
            if (context.time().nanos() - since > COUNTED_WITHIN.toNanos()) {
                return OptionalLong.empty();
            }
            context.time().pause(LOOK);
        }
        return OptionalLong.of(end);
    }

    /**
     * What a crawl is when Kafka has cut {@code visits}, for the transaction that tells of the loss; empty if that
     * changes nothing (docs/protocol.md, rule K9). A refresh that may lack visits goes on, if it has ended, so that it
     * finds their pages by links.
     *
     * @param at the first offset that is lost
     * @param since a run that ended before this moment has lost nothing
     */
    public static Optional<CrawlStatus> afterLoss(CrawlStatus now, long at, Instant since) {
        boolean whole = now.overSince(since);
        Optional<RunVisits> left = now.visits().map(visits -> visits.cut(at, whole));
        if (left.equals(now.visits())) {
            return Optional.empty();
        }
        boolean goesOn = now.overByItself() && !whole && now.visits().filter(visits -> visits.lacks(at)).isPresent();
        CrawlStatus next = goesOn ? Lifecycle.starting(now).withClosedAt(now.closedAt()) : now.next();
        return Optional.of(next.withVisits(left));
    }

    /** Whether a limit has ended a run before all pages were visited. */
    boolean leavesVisits(CrawlStatus of) {
        return of.refreshes() && !of.finished() && tally.totals(of.run()).waitingExempt() > 0;
    }

    /** @param due whether only pages are visited that are due, as {@link #due} says */
    VisitChoice choice(CrawlStatus now, Optional<UrlPattern> match, boolean due) {
        return due ? due(now, match, context.time().now()) : new VisitChoice(match, Optional.empty(), Optional.empty());
    }

    /**
     * What is due at a moment, and the part of the visits of a day for the time since the run before has chosen its
     * visits, or else since it was started: its promotion is no time without visits.
     */
    static VisitChoice due(CrawlStatus now, Optional<UrlPattern> match, Instant moment) {
        Duration since = now.visits().flatMap(RunVisits::source).flatMap(source -> source.choice().due())
                .or(now::startedAt).map(begin -> Duration.between(begin, moment))
                .filter(passed -> passed.compareTo(A_DAY) < 0).orElse(A_DAY);
        return new VisitChoice(match, Optional.of(moment), now.definition().refreshRules().visitsPerDay()
                .map(visits -> Math.max(1, (long) (visits * ((double) since.toMillis() / A_DAY.toMillis())))));
    }
}
