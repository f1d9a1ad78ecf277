package io.trawl.coordinator.summary;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.queue.StageRates.LiveModules;
import io.trawl.coordinator.summary.FleetCrawls.CrawlCounts;
import io.trawl.coordinator.summary.FleetCrawls.CrawlQuery;
import io.trawl.ledger.ItemCounts;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FleetCrawlsTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:00:00Z");
    private static final CrawlQuery TWO = new CrawlQuery(Set.of(), "", Optional.empty(), 0, 2);
    private final List<CrawlFigures> all = List.of(crawl("a", CrawlState.STARTED, 1, 5, 0),
            crawl("b", CrawlState.STOPPED, 9, 0, 7), crawl("c", CrawlState.STOPPED, 3, 2, 7),
            crawl("d", CrawlState.INITIALIZED, 0, 0, 0));

    private static CrawlFigures crawl(String id, CrawlState state, long pages, long waiting, long started) {
        CrawlStatus status = CrawlStatus.of(new CrawlRun(new CrawlId(id), 1), 1, CrawlDefinition.of(List.of()), state)
                .withStartedAt(Optional.of(NOW.minusSeconds(started)).filter(_ -> state != CrawlState.INITIALIZED))
                .withEnd(Optional.of(new End(waiting > 0 ? EndReason.ASKED : EndReason.FINISHED, NOW))
                        .filter(_ -> state == CrawlState.STOPPED));
        return new CrawlFigures(status, new Totals(pages + waiting, pages, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, waiting, 0, 0,
                0, 0, Optional.empty(), ItemTotals.of(ItemCounts.NONE)), Rates.NONE);
    }

    private FleetCrawls of(CrawlQuery query) {
        return FleetCrawls.of(all, query, crawl -> Set.of(crawl.crawl() + ".example"),
                crawl -> CrawlSummary.of(crawl.status(), Set.of(), RunSnapshot.NONE, Pace.NONE, Optional.empty(),
                        new LiveModules(List.of(), Optional.of(NOW), Optional.empty()), Set.of(), Optional.empty(),
                        NOW),
                NOW);
    }

    private List<String> shown(CrawlQuery query) {
        return of(query).shown().stream().map(crawl -> crawl.crawl().value()).toList();
    }

    @Test
    void allAreCountedHoweverFewAreShown() {
        FleetCrawls two = of(TWO);
        assertThat(two.counts()).isEqualTo(
                new CrawlCounts(4, 4, Map.of("started", 1L, "finished", 1L, "stopped", 1L, "initialized", 1L), 2));
        assertThat(two.totals().pages()).isEqualTo(13);
        assertThat(two.idle()).as("one waits for an answer").isFalse();
    }

    @Test
    void withoutAnOrderThoseThatWereStartedLastAreShownByTheirIds() {
        assertThat(shown(TWO)).containsExactly("a", "b");
        assertThat(shown(new CrawlQuery(Set.of(), "", Optional.empty(), 2, 2))).containsExactly("c", "d");
    }

    @Test
    void aPageOfAnOrderIsShown() {
        assertThat(shown(new CrawlQuery(Set.of(), "", Optional.of("-pages"), 1, 2))).containsExactly("c", "a");
        assertThat(shown(new CrawlQuery(Set.of(), "", Optional.of("waiting"), 0, 9))).containsExactly("b", "d", "c",
                "a");
        assertThat(shown(new CrawlQuery(Set.of(), "", Optional.of("-progress"), 0, 1))).containsExactly("b");
        assertThat(shown(CrawlQuery.ALL)).containsExactly("a", "b", "c", "d");
    }

    @Test
    void crawlsAreFoundByIdByDomainAndByState() {
        assertThat(shown(new CrawlQuery(Set.of(new CrawlId("c"), new CrawlId("gone")), "", Optional.empty(), 0, 9)))
                .containsExactly("c");
        assertThat(shown(new CrawlQuery(Set.of(), "D.EXAMPLE", Optional.empty(), 0, 9))).containsExactly("d");
        FleetCrawls finished = of(new CrawlQuery(Set.of(), "finish", Optional.empty(), 0, 0));
        assertThat(finished.shown()).isEmpty();
        assertThat(finished.counts().found()).isOne();
    }
}
