package io.trawl.coordinator.summary;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.queue.StageRates.LiveModules;
import io.trawl.ledger.ItemCounts;
import io.trawl.model.CrawlRun;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CrawlSummaryTest {
    private static final Instant START = Instant.parse("2026-01-02T03:00:00Z");

    private static CrawlStatus status(CrawlState state, Optional<End> end) {
        return CrawlStatus.of(CrawlRun.parse("docs/1"), 1, CrawlDefinition.of(List.of()), state)
                .withStartedAt(Optional.of(START)).withEnd(end).withSpent(Duration.ofSeconds(14));
    }

    private static CrawlSummary summary(CrawlStatus status, Instant now) {
        return CrawlSummary.of(status, Set.of(), RunSnapshot.NONE, Pace.NONE, Optional.empty(),
                new LiveModules(List.of(), Optional.of(now), Optional.empty()), Set.of("docs/index"), Optional.empty(),
                now);
    }

    @Test
    void theElapsedTimeIsThatOfAllStartsOfARun() {
        assertThat(summary(status(CrawlState.STARTED, Optional.empty()), START.plusSeconds(6)).elapsed())
                .isEqualTo(Duration.ofSeconds(20));
        End limit = new End(EndReason.PAGE_LIMIT, START.plusSeconds(6));
        assertThat(summary(status(CrawlState.STOPPED, Optional.of(limit)), START.plusSeconds(60)).elapsed())
                .isEqualTo(Duration.ofSeconds(14));
    }

    /** The last look at the queue may be older than the end. */
    @Test
    void aSinkIsBehindOnlyWhileTheCrawlHasNotStopped() {
        assertThat(summary(status(CrawlState.STARTED, Optional.empty()), START).notes()).singleElement().asString()
                .contains("the sink index is behind");
        End end = new End(EndReason.FINISHED, START);
        assertThat(summary(status(CrawlState.STOPPED, Optional.of(end)), START).notes()).isEmpty();
    }

    @Test
    void aRunFailsIfRequestsFailedAndItHasLessThanHalfOfThePagesOfTheLastOne() {
        assertThat(totals(1, 13).failed(14, false)).as("13 of 14 pages answer 503").isTrue();
        assertThat(totals(400, 5).failed(1000, false)).as("a host is down to which 5 links lead").isTrue();
        assertThat(totals(1, 0).failed(14, false)).as("13 of 14 pages are gone").isFalse();
        assertThat(totals(7, 7).failed(14, false)).as("half of them are there").isFalse();
        assertThat(totals(40, 60).failed(45, false)).as("most hosts of a list are always down").isFalse();
        assertThat(totals(1, 13).failed(0, false)).as("the first run replaces none").isFalse();
        assertThat(totals(0, 0).failed(0, false)).as("no page").isTrue();
    }

    @Test
    void aRunWithOtherSeedsThanThoseOfItsDefinitionFailsIfMostRequestsFailed() {
        assertThat(totals(97, 3).failed(1000, true)).as("a shorter list").isFalse();
        assertThat(totals(3, 97).failed(100, true)).isTrue();
    }

    private static Totals totals(long pages, long unavailable) {
        return new Totals(pages + unavailable, pages, 0, 0, 0, 0, 0, 0, unavailable, 0, 0, 0, 0, 0, 0, unavailable, 0,
                Optional.empty(), ItemTotals.of(ItemCounts.NONE));
    }
}
