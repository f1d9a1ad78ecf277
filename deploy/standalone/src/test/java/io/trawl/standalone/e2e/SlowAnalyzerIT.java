package io.trawl.standalone.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.analyzer.Analyzer;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.ItemTotals;
import io.trawl.downloader.Downloader;
import io.trawl.model.CrawlId;
import io.trawl.module.StageState.HoldReason;
import io.trawl.module.StageState.HoldingFor;
import io.trawl.module.StageState.Phase;
import io.trawl.pipeline.Pipeline;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorClient;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.Output;
import io.trawl.worker.Worker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A missing stage pauses the stage before it, and has no other effect (S14). */
class SlowAnalyzerIT {
    private static final CrawlId CRAWL = new CrawlId("slow");
    private static final int SEEDS = 600;
    /** A stage learns once a second that its backlog is full; meanwhile it goes on. */
    private static final int FEWER = 200;
    @TempDir
    private Path out;

    @Test
    void withoutAnAnalyzerTheDownloaderHoldsAndAfterwardsTheOutputIsExact() throws InterruptedException {
        try (FakeWeb web = FakeWeb.start(4);
                OneJvmFleet fleet = OneJvmFleet.ofCoordinator(out, Map.of("trawl.downloader.response-backlog", "30"));
                Api api = new Api(fleet.address())) {
            fleet.start(Pipeline.factory());
            Worker downloader = fleet.start(Downloader.factory(), Map.of("trawl.downloader.response-backlog", "5000"));
            LinkGraph graph = LinkGraph.serve(web, 900, 3, 17);
            List<String> seeds = IntStream.range(0, SEEDS).mapToObj(graph::url).toList();
            fleet.client().define(CRAWL, definition(seeds), false);
            await().until(() -> downloader.stage().state() instanceof HoldingFor);
            await().until(() -> slotsUsed(downloader) == 0);
            int visits = visits(web);
            await().during(Duration.ofSeconds(2)).until(() -> visits(web) == visits);
            assertThat(visits).isBetween(30, SEEDS - 1);
            api.patch("/api/v1/settings", Map.of("responseBacklog", visits + 60));
            await().until(() -> visits(web) >= visits + 40);
            assertThat(visits(web)).as("it holds again").isLessThan(SEEDS);

            fleet.start(Analyzer.factory());
            fleet.awaitFinished(CRAWL);
            GraphChecks.output(graph, seeds, 1, new Output(out));
            await().until(() -> downloader.stage().state() == Phase.RUNNING);
        }
    }

    /** The files of the pipeline would stay open for five minutes. */
    @Test
    void withoutAPipelineTheAnalyzerHoldsAndAfterwardsNothingStutters() throws InterruptedException {
        try (FakeWeb web = FakeWeb.start(4);
                OneJvmFleet fleet = OneJvmFleet.ofCoordinator(out, Map.of("trawl.analyzer.item-backlog", "60",
                        "trawl.analyzer.batch", "10", "trawl.pipeline.file-idle", "5m"))) {
            Worker analyzer = fleet.start(Analyzer.factory());
            fleet.start(Downloader.factory());
            CoordinatorClient client = fleet.client();
            LinkGraph graph = LinkGraph.serve(web, 900, 3, 17);
            List<String> seeds = IntStream.range(0, FEWER).mapToObj(graph::url).toList();
            client.define(CRAWL, definition(seeds), false);
            await().until(() -> analyzer.stage().state().equals(new HoldingFor(HoldReason.PIPELINES)));
            ItemTotals held = items(client);
            await().during(Duration.ofSeconds(2)).until(() -> items(client).equals(held));
            int all = graph.reachable(seeds, 1).size();
            assertThat(held.waiting()).isEqualTo(held.written()).isBetween(30L, all - 1L);
            assertThat(client.crawl(CRAWL).orElseThrow().idle()).isFalse();

            fleet.start(Pipeline.factory());
            CrawlSummary end = fleet.awaitFinished(CRAWL);
            GraphChecks.output(graph, seeds, 1, new Output(out));
            GraphChecks.accounted(end.totals(), new Output(out));
        }
    }

    private static ItemTotals items(CoordinatorClient client) throws InterruptedException {
        return client.crawl(CRAWL).orElseThrow().totals().items();
    }

    private static int slotsUsed(Worker downloader) {
        return (int) requireNonNull(
                ((Map<?, ?>) requireNonNull(downloader.summary().extra().get("slots"))).get("used"));
    }

    private static int visits(FakeWeb web) {
        return IntStream.range(0, 4).map(i -> web.visits(web.host(i)).size()).sum();
    }

    private static CrawlDefinition definition(List<String> seeds) {
        String list = seeds.stream().map(url -> "{\"url\": \"" + url + "\"}").collect(Collectors.joining(","));
        String json = "{\"seeds\": [" + list + "], \"limits\": {\"depth\": 1}, \"fetch\": {\"delay\": \"20ms\"}}";
        return Json.read(json.getBytes(StandardCharsets.UTF_8), CrawlDefinition.class);
    }
}
