package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.summary.StopSignSummary;
import io.trawl.model.CrawlId;
import io.trawl.module.Registration;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.e2e.ChaosFleet.Kind;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.Output;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The stop sign of a fleet with two of each process, one of which hangs (S4). The stop sign waits for the hung one
 * until its lease ends; all others drain. After that the sign is complete. Nothing is fetched under the sign, and after
 * its reset the crawl completes with the exact output. The logs stay in {@code target/hung}.
 */
@Tag("nightly")
class HungWorkerIT {
    private static final CrawlId CRAWL = new CrawlId("hung");
    private static final int PAGES = 600;
    private static final int EACH = 2;

    @Test
    void aHungWorkerIsNamedTheOthersDrainAndAfterItsDeathTheStopSignIsComplete() throws Exception {
        Path folder = Path.of("target", "hung", Long.toString(Time.system().now().toEpochMilli())).toAbsolutePath();
        try (FakeWeb web = FakeWeb.start(12);
                ChaosFleet fleet = new ChaosFleet(folder, EACH, Map.of("TRAWL_LEASE", "15s", "TRAWL_GRACE", "10s"))) {
            LinkGraph graph = LinkGraph.serve(web, PAGES, 4, 23);
            fleet.ask(client -> client.define(CRAWL, definition(graph), false));
            await().until(() -> web.visits().size() > 50);
            int all = EACH * Kind.values().length;
            try (Api api = new Api(fleet.coordinator())) {
                await().until(() -> api.get("/api/v1/modules").list(Registration.class).size() == all);

                Process hung = fleet.pause(Kind.DOWNLOADER, new Random(1));
                assertThat(api.post("/api/v1/stop-sign").as(StopSignSummary.class).signed()).isTrue();
                StopSignSummary named = await().until(() -> sign(api), sign -> sign.waiting().size() == 1);
                assertThat(named.waiting()).extracting(waiting -> waiting.mid().address())
                        .containsExactly(fleet.address(hung));
                assertThat(named.dealTotal()).isEqualTo(all - 1);
                assertThat(named.deals()).hasSize(all - 1).allSatisfy(deal -> assertThat(deal.times()).isEqualTo(1));
                assertThat(named.complete()).isFalse();
                StatusLines.say(api, "stop sign of the fleet: .*, waiting for D.*" + fleet.address(hung) + ".*");
                int fetched = web.visits().size();

                hung.destroyForcibly().waitFor();
                StopSignSummary complete = await().until(() -> sign(api), StopSignSummary::complete);
                assertThat(complete.waiting()).isEmpty();
                assertThat(complete.dealTotal()).isEqualTo(all - 1);
                assertThat(web.visits()).as("nothing is fetched under the sign").hasSize(fetched);
                assertThat(web.visits().size()).as("the crawl has work left").isLessThan(PAGES * 3 / 4);

                assertThat(api.delete("/api/v1/stop-sign").as(StopSignSummary.class).signed()).isFalse();
            }
            await().pollInterval(Duration.ofSeconds(1)).until(
                    () -> fleet.ask(client -> client.crawl(CRAWL).orElseThrow()), c -> c.state() == CrawlState.STOPPED);
            GraphChecks.output(graph, List.of(graph.url(0)), 10, new Output(fleet.out(), CRAWL + "-1"));
        }
    }

    private static StopSignSummary sign(Api api) throws InterruptedException {
        return api.get("/api/v1/stop-signs").as(StopSignSummary[].class)[0];
    }

    private static CrawlDefinition definition(LinkGraph graph) {
        return Json.read(
                "{\"seeds\": [{\"url\": \"%s\"}], \"limits\": {\"depth\": 10}, \"fetch\": {\"delay\": \"250ms\"}, \"scope\": {\"domains\": [\"%s\"]}}"
                        .formatted(graph.url(0), String.join("\",\"", graph.domains()))
                        .getBytes(StandardCharsets.UTF_8),
                CrawlDefinition.class);
    }
}
