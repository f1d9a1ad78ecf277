package io.trawl.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.codec.Json;
import io.trawl.coordinator.Fleet.Answer;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.FleetSummary;
import io.trawl.model.Request;
import io.trawl.worker.Worker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Coordinators that have not read the whole ledger yet say so wherever they report totals, and decide nothing. */
class CountingIT {
    private static final int ANSWERED = 60_000;
    private final Fleet fleet = new Fleet();

    @AfterEach
    void stop() {
        fleet.close();
    }

    @Test
    void aCoordinatorThatStartsOrTakesOverReportsTheSameTotalsOrThatItCounts() throws Exception {
        Worker first = fleet.leader();
        fleet.put(first, "docs", "?start=true", Fleet.definition("https://example.org/"));
        Request request = fleet.theRequest();
        fleet.answerMany(request, ANSWERED);
        await().until(() -> fleet.crawl(first, "docs").totals().pages() == ANSWERED);

        Worker second = fleet.startCoordinator();
        reportsTheSameOrCounts(second);
        fleet.awaitStable(first, second);
        Worker leader = Fleet.leads(first) ? first : second;
        Worker left = leader == first ? second : first;
        leader.stop(Duration.ofSeconds(5));
        reportsTheSameOrCounts(left);
        left.stop(Duration.ofSeconds(5));

        Worker third = fleet.startCoordinator();
        reportsTheSameOrCounts(third);
        await().until(() -> Fleet.leads(third));
        assertThat(fleet.crawl(third, "docs").counting()).isEmpty();
    }

    /** Asks until the coordinator has counted, and some times more. */
    private void reportsTheSameOrCounts(Worker coordinator) throws Exception {
        int complete = 0;
        while (complete < 20) {
            Answer crawl = fleet.ask(coordinator, "GET", "/api/v1/crawls/docs", "");
            Answer all = fleet.ask(coordinator, "GET", "/api/v1/summary", "");
            Answer metrics = fleet.ask(coordinator, "GET", "/metrics", "");
            metrics.body().lines().filter(line -> line.startsWith("trawl_coordinator_urls "))
                    .forEach(line -> assertThat(Double.parseDouble(line.split(" ")[1])).isEqualTo(ANSWERED + 1.0));
            if (all.status() == 200) {
                FleetSummary summary = Json.read(all.body().getBytes(StandardCharsets.UTF_8), FleetSummary.class);
                assertThat(summary.counting().isPresent() || summary.totals().pages() == ANSWERED).as(all.body())
                        .isTrue();
                assertThat(summary.queue().counting().isPresent() || summary.queue().popped() == ANSWERED)
                        .as(all.body()).isTrue();
            }
            if (crawl.status() == 200) {
                CrawlSummary summary = crawl.summary();
                assertThat(summary.counting().isPresent() || summary.totals().pages() == ANSWERED).as(crawl.body())
                        .isTrue();
                complete += summary.counting().isEmpty() ? 1 : 0;
            }
        }
    }
}
