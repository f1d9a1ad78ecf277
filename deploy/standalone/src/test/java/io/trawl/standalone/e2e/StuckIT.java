package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.FleetSummary;
import io.trawl.model.CrawlId;
import io.trawl.model.ModuleKind;
import io.trawl.module.StageState.Dependency;
import io.trawl.module.StageState.WaitingFor;
import io.trawl.standalone.client.Api;
import io.trawl.testkit.Behaviours;
import io.trawl.testkit.FakeHost;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.FreePort;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ways to be stuck (docs/troubleshooting.md), several at once in one fleet, and what {@code ./trawl status} says of
 * each.
 */
class StuckIT {
    @TempDir
    private Path folder;
    private final CountDownLatch opens = new CountDownLatch(1);

    @Test
    void statusNamesWhatHoldsUpACrawl() throws Exception {
        Path out = folder.resolve("pages");
        try (FakeWeb web = FakeWeb.start(4);
                ServerSocket silent = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.9"));
                OneJvmFleet fleet = new OneJvmFleet(out, Map.of("trawl.downloader.retries-failure", "100"))
                        .ofAllHosts();
                Api api = new Api(fleet.address())) {
            define(fleet, "silent", "http://127.0.0.9:" + silent.getLocalPort() + "/",
                    ", \"fetch\": {\"responseTimeout\": \"500ms\"}");
            FakeHost slow = web.host(0).route("/", Behaviours.slow(opens, Behaviours.page("late")));
            define(fleet, "slow", slow.url("/"), "");
            FakeHost closed = web.host(1).route("/", Behaviours.answer(503, Map.of("Retry-After", "600"), new byte[0]));
            define(fleet, "closed", closed.url("/"), "");
            FakeHost open = web.host(2).page("/", "one").page("/two", "two").page("/three", "three");
            define(fleet, "sinks", open.url("/"),
                    ", \"sinks\": [{\"type\": \"jsonl\"}, {\"type\": \"opensearch\", \"name\": \"index\","
                            + "\"settings\": {\"url\": \"http://127.0.0.1:%d\"}}]".formatted(FreePort.find()));
            StatusLines.say(api, "the sink sinks/index fails: .*");

            // What cannot be written any more is a file in its place.
            Files.move(out, folder.resolve("away"));
            Files.createFile(out);
            define(fleet, "folder", open.url("/two"), "");
            await().until(() -> waits(fleet, ModuleKind.PIPELINE, Dependency.OUTPUT_FOLDER));
            String items = fleet.fixture().topics().items();
            // Less than an item, and more than the marker of an aborted transaction.
            fleet.fixture().configure(items, Map.of("max.message.bytes", "200"));
            define(fleet, "items", open.url("/three"), "");
            await().until(() -> waits(fleet, ModuleKind.ANALYZER, Dependency.KAFKA));

            StatusLines.say(api, "127.0.0.9:" + silent.getLocalPort() + " has not answered since .*: 1 request waits");
            StatusLines.say(api, slow.name() + " has been asked since .* and has not answered yet: 1 request waits");
            StatusLines.say(api,
                    closed.name() + " is left alone until .*, because of its Retry-After or errors: 1 request waits");
            StatusLines.say(api, "P[0-9]+.*: waiting for output folder since .*");
            StatusLines.say(api, "A[0-9]+.*: waiting for kafka since .*: each transaction fails: .*");
            assertThat(api.get("/api/v1/summary").as(FleetSummary.class).advice()).as("advice beside these notes")
                    .isEmpty();
            assertThat(fleet.client().crawl(new CrawlId("slow")).map(CrawlSummary::notes).orElseThrow())
                    .anyMatch(note -> note.contains("waiting for output folder since"));
            api.post("/api/v1/stop-sign");
            StatusLines.say(api, "stop sign of the fleet.*");

            fleet.fixture().configure(items, Map.of("max.message.bytes", "1000000"));
            Files.delete(out);
            Files.move(folder.resolve("away"), out);
            opens.countDown();
        }
    }

    private static void define(OneJvmFleet fleet, String id, String seed, String more) throws InterruptedException {
        fleet.client().define(new CrawlId(id),
                Json.read("{\"seeds\": [{\"url\": \"%s\"}]%s}".formatted(seed, more).getBytes(StandardCharsets.UTF_8),
                        CrawlDefinition.class),
                false);
    }

    private static boolean waits(OneJvmFleet fleet, ModuleKind kind, Dependency what) {
        return fleet.worker(kind).stage().state() instanceof WaitingFor(Dependency dependency, var _)
                && dependency == what;
    }
}
