package io.trawl.coordinator.summary;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.queue.StageRates.LiveModules;
import io.trawl.api.Counts;
import io.trawl.model.CrawlRun;
import io.trawl.model.MID;
import io.trawl.module.Registration;
import io.trawl.module.StageState.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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
        return summary(status, now, List.of());
    }

    private static CrawlSummary summary(CrawlStatus status, Instant now, List<Registration> live) {
        return CrawlSummary.of(status, Set.of(), RunSnapshot.NONE, Pace.NONE, Optional.empty(),
                new LiveModules(live, Optional.of(now), Optional.empty()), Set.of("docs/index"), Optional.empty(), now);
    }

    @Test
    void theElapsedTimeIsThatOfAllStartsOfARun() {
        assertThat(summary(status(CrawlState.STARTED, Optional.empty()), START.plusSeconds(6)).elapsed())
                .isEqualTo(Duration.ofSeconds(20));
        End limit = new End(EndReason.PAGE_LIMIT, START.plusSeconds(6));
        assertThat(summary(status(CrawlState.STOPPED, Optional.of(limit)), START.plusSeconds(60)).elapsed())
                .isEqualTo(Duration.ofSeconds(14));
    }

    @Test
    void aHostThatHoldsUpRequestsIsNotedOnlyAtTheCrawlsWhoseRequestsTheyAre() {
        Registration downloader = new Registration(MID.parse("D1|127.0.0.1:9"), 0, new Counts(0, 0, 0, 0, 0, 0), START,
                Map.of(), Phase.RUNNING)
                .noting(List.of("its clock is ahead"), Map.of("docs", List.of("a is silent"), "other",
                        List.of("b is slow"), Registration.ALL_CRAWLS, List.of("a is silent, as 1 more")));
        assertThat(summary(status(CrawlState.STARTED, Optional.empty()), START, List.of(downloader)).notes())
                .filteredOn(note -> note.startsWith("D1"))
                .containsExactly("D1|127.0.0.1:9: a is silent", "D1|127.0.0.1:9: its clock is ahead");
        assertThat(Registration.notes(List.of(downloader), Registration.ALL_CRAWLS))
                .containsExactly("D1|127.0.0.1:9: a is silent, as 1 more", "D1|127.0.0.1:9: its clock is ahead");
    }

    /** The last look at the queue may be older than the end. */
    @Test
    void aSinkIsBehindOnlyWhileTheCrawlHasNotStopped() {
        assertThat(summary(status(CrawlState.STARTED, Optional.empty()), START).notes()).singleElement().asString()
                .contains("the sink index is behind");
        End end = new End(EndReason.FINISHED, START);
        assertThat(summary(status(CrawlState.STOPPED, Optional.of(end)), START).notes()).isEmpty();
    }
}
