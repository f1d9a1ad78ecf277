package io.trawl.coordinator.summary;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.AnsweredRequest;
import io.trawl.ledger.LedgerRecord.EmittedRequest;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.Request.RequestId;
import io.trawl.time.Time;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CrawlMetersTest {
    private static final int MOST = 3;
    private final Tally tally = new Tally(() -> {
        throw new IllegalStateException("not started");
    }, "t.ledger", OptionalInt::empty, Time.system(), Time.system(), (cause, e) -> {});
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final CrawlMeters crawlMeters = new CrawlMeters(tally, MOST, meters, Time.system());

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
        assertThat(meters.getMeters()).as("five metrics, four series each").hasSize(20);
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
        Map<String, Double> pages = new TreeMap<>();
        for (Gauge gauge : meters.find("trawl.crawl.pages").gauges()) {
            pages.put(gauge.getId().getTag("crawl"), gauge.value());
        }
        return pages;
    }
}
