package io.trawl.coordinator.summary;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.control.RunVisits;
import io.trawl.control.RunVisits.PromotedVisits;
import io.trawl.control.RunVisits.VisitSource;
import io.trawl.control.VisitChoice;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.AnsweredRequest;
import io.trawl.ledger.LedgerRecord.EmittedRequest;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.Request.RequestId;
import io.trawl.testkit.ManualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CrawlMetersTest {
    private static final int MOST = 3;
    private final Tally tally = new Tally();
    private final List<CrawlStatus> crawls = new ArrayList<>();
    private final ManualTime time = ManualTime.standing();
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final CrawlMeters crawlMeters = new CrawlMeters(tally, () -> crawls, MOST, meters, time);

    @Test
    void onlyTheCrawlsThatWereActiveLastHaveSeriesOfTheirOwn() {
        tally.moved(Map.of());
        for (int crawl = 0; crawl < 50; crawl++) {
            page("c" + crawl, 1, crawl);
        }
        crawlMeters.show();
        assertThat(pages()).isEqualTo(Map.of("c49", 1.0, "c48", 1.0, "c47", 1.0, "other", 47.0));
        page("c7", 2, 60);
        crawlMeters.show();
        assertThat(pages()).as("c47 is among the others now")
                .isEqualTo(Map.of("c7", 2.0, "c49", 1.0, "c48", 1.0, "other", 47.0));
        assertThat(meters.getMeters())
                .as("six metrics with four series each, and four of crawls that control does not know").hasSize(28);
    }

    @Test
    void aCrawlWithTheNameOfTheOthersIsOneOfThem() {
        tally.moved(Map.of());
        page("other", 1, 0);
        page("docs", 1, 0);
        crawlMeters.show();
        assertThat(pages()).isEqualTo(Map.of("docs", 1.0, "other", 1.0));
    }

    @Test
    void thereAreNoneUntilTheLedgerIsCounted() {
        page("docs", 1, 0);
        crawlMeters.show();
        assertThat(pages()).isEmpty();
        tally.moved(Map.of());
        crawlMeters.show();
        assertThat(pages()).hasSize(2);
    }

    @Test
    void whatARefreshVisitsAndHowLateItsScheduleIs() {
        tally.moved(Map.of());
        page("docs", 1, 0);
        crawls.add(crawl("docs", 2, CrawlState.STARTED, Optional.of(new PromotedVisits(5, 40, 30))));
        crawls.add(crawl("idle", 2, CrawlState.STOPPED, Optional.of(new PromotedVisits(1, 2, 1))));
        crawls.add(crawl("first", 1, CrawlState.STARTED, Optional.empty()));
        crawlMeters.show();
        assertThat(values("visits.made")).isEqualTo(Map.of("docs", 5.0, "other", 1.0));
        assertThat(values("visits.later")).isEqualTo(Map.of("docs", 40.0, "other", 2.0));
        assertThat(values("visits.overdue")).isEqualTo(Map.of("docs", 30.0, "other", 1.0));
        assertThat(values("refresh.late.seconds")).isEqualTo(Map.of("docs", 0.0, "other", 0.0));
        time.advance(Duration.ofMinutes(90));
        crawlMeters.show();
        assertThat(values("refresh.late.seconds")).as("a first run may take longer")
                .isEqualTo(Map.of("docs", 1800.0, "other", 1800.0));
        assertThat(values("not.modified")).isEqualTo(Map.of("docs", 0.0, "other", 0.0));
        tally.add(0,
                new LedgerRecord(new CrawlRun(new CrawlId("docs"), 1),
                        List.of(new EmittedRequest(new RequestId(8), 1, 0), new EmittedRequest(new RequestId(9), 1, 0)),
                        List.of(new AnsweredRequest(new RequestId(8), OutcomeKind.UNCHANGED, "304", true),
                                new AnsweredRequest(new RequestId(9), OutcomeKind.UNCHANGED, "200", true)),
                        Map.of(), List.of(), 7),
                Instant.EPOCH, Instant.EPOCH);
        crawlMeters.show();
        assertThat(values("unchanged")).containsEntry("docs", 2.0);
        assertThat(values("not.modified")).containsEntry("docs", 1.0);
    }

    /** With an hourly schedule, started at a full hour. */
    private CrawlStatus crawl(String crawl, int epoch, CrawlState state, Optional<PromotedVisits> visits) {
        CrawlDefinition definition = Json.read(
                "{\"seeds\":[\"https://example.org/\"],\"refresh\":{\"least\":\"1h\"},\"schedule\":{\"cron\":\"@hourly\"}}"
                        .getBytes(StandardCharsets.UTF_8),
                CrawlDefinition.class);
        return CrawlStatus
                .of(new CrawlRun(new CrawlId(crawl), epoch), 1, definition,
                        state)
                .with(made -> made
                        .startedAt(Optional.of(time.now())).visits(
                                Optional.of(
                                        new RunVisits(
                                                0, visits.map(counts -> new VisitSource(1, 0, 0, 9, true,
                                                        VisitChoice.ALL, Optional.empty(), Optional.of(counts))),
                                                Optional.empty()))));
    }

    /** A page at a second. */
    private void page(String crawl, long id, int second) {
        RequestId request = new RequestId(id);
        Instant at = Instant.ofEpochSecond(second);
        tally.add(0,
                new LedgerRecord(new CrawlRun(new CrawlId(crawl), 1), List.of(new EmittedRequest(request, 1, 0)),
                        List.of(new AnsweredRequest(request, OutcomeKind.PAGE, "200", true)), Map.of(), List.of(), 7),
                at, at);
    }

    private Map<String, Double> pages() {
        return values("pages");
    }

    private Map<String, Double> values(String name) {
        Map<String, Double> values = new TreeMap<>();
        for (Gauge gauge : meters.find("trawl.crawl." + name).gauges()) {
            values.put(gauge.getId().getTag("crawl"), gauge.value());
        }
        return values;
    }
}
