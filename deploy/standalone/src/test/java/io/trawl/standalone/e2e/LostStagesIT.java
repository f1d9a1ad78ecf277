package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.FleetSummary;
import io.trawl.coordinator.summary.FleetSummary.MissingKind;
import io.trawl.coordinator.summary.QueueSummary;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.e2e.ChaosFleet.Kind;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each kind of worker in turn loses its only process while a crawl runs, and gets a new one. */
@Tag("nightly")
class LostStagesIT {
    private static final CrawlId CRAWL = new CrawlId("lost");
    private static final int HOSTS = 5;
    private static final int UNLIMITED = -1;
    private final Random random = new Random(1);
    @TempDir
    private Path folder;

    @Test
    void theLossOfTheLastProcessOfAKindIsSaidAndWithANewOneTheCrawlGoesOnExactly() throws Exception {
        CountDownLatch opens = new CountDownLatch(1);
        try (FakeWeb web = FakeWeb.start(HOSTS);
                ChaosFleet fleet = new ChaosFleet(folder, 1, Map.of("TRAWL_LEASE", "3s", "TRAWL_DOWNLOADER_LEASE", "4s",
                        "TRAWL_DOWNLOADER_BACK_OFF", "100ms"))) {
            LinkGraph graph = LinkGraph.serve(web, 300, 4, 23);
            // The crawl does not end before.
            web.host(1).hold(opens);
            fleet.ask(client -> client.define(CRAWL, GraphChecks.definition(graph, UNLIMITED, "100ms"), false));
            await().until(() -> web.visits().size() > 20);
            try (Api api = new Api(fleet.coordinator())) {
                lose(fleet, api, Kind.DOWNLOADER,
                        "no downloader has been running since .*: nothing is fetched, [0-9]+ requests wait");
                int before = web.visits().size();
                await().until(() -> web.visits().size() > before);
                lose(fleet, api, Kind.ANALYZER,
                        "no analyzer has been running since .*: fetched pages are not analysed, [0-9]+ responses wait");
                lose(fleet, api, Kind.PIPELINE,
                        "no pipeline has been running since .*: no page is stored, [0-9]+ items wait");
            }
            opens.countDown();
            CrawlSummary end = await().until(() -> fleet.ask(client -> client.crawl(CRAWL).orElseThrow()),
                    crawl -> crawl.end().isPresent());
            assertThat(end.end()).map(End::reason).contains(EndReason.FINISHED);
            fleet.checkRunning();
            GraphChecks.output(graph, List.of(graph.url(0)), Integer.MAX_VALUE, new Output(fleet.out(), CRAWL + "-1"));
            GraphChecks.accounted(end.totals(), new Output(fleet.out(), CRAWL + "-1"));
            System.out.println(GraphChecks.cost(web));
            assertThat(web.counts().values().stream().mapToLong(count -> count - 1).sum())
                    .as("fetched again: what was in flight when the downloader was killed, or not marked yet")
                    .isLessThanOrEqualTo(2 * HOSTS);
        }
    }

    /** @param said in the summary while there is none */
    private void lose(ChaosFleet fleet, Api api, Kind kind, String said) throws InterruptedException, IOException {
        String word = kind.name().toLowerCase(Locale.ROOT);
        System.out.println(fleet.lose(kind, random));
        List<MissingKind> missing = await().until(() -> summary(api).missing(),
                all -> all.size() == 1 && all.getFirst().since().isPresent());
        assertThat(missing.getFirst().text()).matches(said);
        StatusLines.say(api, said);
        await().untilAsserted(
                () -> assertThat(api.get("/api/v1/queue").as(QueueSummary.class).line()).contains("(no " + word + ")"));
        assertThat(fleet.ask(client -> client.crawl(CRAWL).orElseThrow()).state()).isEqualTo(CrawlState.STARTED);

        fleet.start(kind);
        await().until(() -> summary(api).missing().isEmpty());
        await().untilAsserted(() -> {
            assertThat(fleet.printed().values()).anyMatch(lines -> lines.stream()
                    .anyMatch(line -> line.contains("the first " + word + " is running; there was none for ")));
            assertThat(api.get("/api/v1/queue").as(QueueSummary.class).line()).doesNotContain("(no ");
        });
    }

    private static FleetSummary summary(Api api) throws InterruptedException {
        return api.get("/api/v1/summary").as(FleetSummary.class);
    }
}
