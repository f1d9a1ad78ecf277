package io.trawl.coordinator.lifecycle;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.RunVisits;
import io.trawl.control.RunVisits.VisitSource;
import io.trawl.control.VisitChoice;
import io.trawl.pattern.UrlPattern;
import io.trawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import io.trawl.coordinator.lifecycle.LifecycleCommands.RunCounts;

/** From which visits of a run the next one chooses, and how. Belongs to the leader's thread. */
final class RefreshedVisits {
    private static final Duration A_DAY = Duration.ofDays(1);
    private final RunCounts counts;
    private final Time time;

    RefreshedVisits(RunCounts counts, Time time) {
        this.counts = counts;
        this.time = time;
    }

    /** Whether a late answer has found more: after a loss in Redis that may happen when a run is finished. */
    boolean goesOn(CrawlStatus of) {
        return of.finished() && counts.totals(of.run()).waiting() > 0;
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
        OptionalLong end = counts.countedVisits();
        if (end.isEmpty()) {
            throw new IllegalMoveException(of, "a transaction of another process is open: try again in a minute");
        }
        if (leavesVisits(of)) {
            throw new IllegalMoveException(of, of.run() + " has not visited all pages, and those would be lost:"
                    + " raise its limit, so that it goes on, or begin a fresh run");
        }
        return new VisitSource(of.run().epoch(), kept.begin(), end.getAsLong(), start, choice, kept.archived(),
                Optional.empty());
    }

    /** Whether a limit has ended a run before all pages were visited. */
    boolean leavesVisits(CrawlStatus of) {
        return of.refreshes() && !of.finished() && counts.totals(of.run()).waitingExempt() > 0;
    }

    VisitChoice choice(CrawlStatus now, Optional<UrlPattern> match, boolean due) {
        return due ? due(now, match) : new VisitChoice(match, Optional.empty(), Optional.empty());
    }

    /** What is due now, and the part of the visits of a day for the time since the run before. */
    VisitChoice due(CrawlStatus now, Optional<UrlPattern> match) {
        Instant moment = time.now();
        Duration since = now.startedAt().map(start -> Duration.between(start, moment))
                .filter(time -> time.compareTo(A_DAY) < 0).orElse(A_DAY);
        return new VisitChoice(match, Optional.of(moment), now.definition().refreshRules().visitsPerDay()
                .map(visits -> Math.max(1, visits * since.toSeconds() / A_DAY.toSeconds())));
    }
}
