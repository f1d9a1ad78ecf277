package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.analyzer.Analyzer;
import io.trawl.channel.TopicNames;
import io.trawl.control.Channels;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.Coordinator;
import io.trawl.coordinator.leader.QueueControl.MoveReport;
import io.trawl.coordinator.leader.QueueControl.QueueReport;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.FleetSummary;
import io.trawl.coordinator.summary.QueueSummary;
import io.trawl.coordinator.summary.QueueSummary.Level;
import io.trawl.downloader.Downloader;
import io.trawl.ledger.DepthMode;
import io.trawl.model.CrawlId;
import io.trawl.model.ModuleKind;
import io.trawl.pipeline.Pipeline;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorClient;
import io.trawl.standalone.client.CoordinatorUnavailableException;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.FreePort;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.LocalWorkers;
import io.trawl.testkit.Output;
import io.trawl.testkit.TestTimeouts;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One crawl in which requests are moved, the request topics replaced twice, and items, the ledger and responses get
 * other partitions, while a leader, an analyzer or a downloader dies at every {@link Moment} of these changes. The next
 * one goes on.
 */
@Tag("nightly")
class KilledWhileReplacingIT {
    private static final CrawlId CRAWL = new CrawlId("replaced");
    private static final int DEPTH = DepthMode.LARGEST_EXACT_LIMIT;
    private static final int SEEDS = 60;
    /** Until the changes are done: so long that the crawl cannot end before, however slow they are. */
    private static final Duration DELAY = Duration.ofSeconds(2);
    private static final Duration SHORT_DELAY = Duration.ofMillis(20);
    @TempDir
    private Path folder;
    private final LocalWorkers workers = new LocalWorkers();
    private final List<Process> processes = new ArrayList<>();
    private Map<String, String> settings = Map.of();
    private URI coordinator = URI.create("http://127.0.0.1");

    @AfterEach
    void stop() {
        processes.forEach(Process::destroyForcibly);
        workers.close();
    }

    @Test
    void whoeverDiesAtAStepOfAChangeOfTheChannelsTheNextGoesOnAndNothingIsLostOrRepeated() throws Exception {
        Map<String, String> own = Map.of("trawl.out", folder.resolve("pages").toString(), "trawl.allow-network",
                "127.0.0.0/8", "trawl.lease", "3s", "trawl.downloader.lease", "4s", "trawl.analyzer.batch", "5");
        KafkaFixture fixture = new KafkaFixture(own);
        settings = new HashMap<>(own);
        settings.putAll(Map.of("trawl.kafka.bootstrap-servers", fixture.settings().kafka().bootstrapServers(),
                "trawl.redis.url", fixture.settings().redis().url(), "trawl.namespace", fixture.topics().namespace()));
        try (FakeWeb web = FakeWeb.start(12)) {
            LinkGraph graph = LinkGraph.serve(web, 1500, 4, 31);
            List<String> seeds = IntStream.range(0, SEEDS).mapToObj(graph::url).toList();
            // It writes the first record of the channels, and the number of partitions of items.
            Process leader = start(Moment.COMPLETING, 2);
            untilAnswered(leader, api -> api.put("/api/v1/crawls/" + CRAWL + "?start=true",
                    GraphChecks.definition(graph, seeds, DEPTH, DELAY.toMillis() + "ms")));
            workers.start(fixture, Pipeline.factory());
            Process told = start(Moment.TOLD, 0);
            Process asked = moveThroughDeaths(leader);
            Process opened = start(Moment.OPENED, 0);

            resize(leader, Map.of("partitions", 32, "items", 9, "ledger", 5));
            dies(leader, Moment.COMPLETING);
            leader = start(Moment.DECIDING, 0);
            resize(leader, Map.of("partitions", 32, "ledger", 5));
            dies(leader, Moment.DECIDING);
            leader = start(Moment.CLOSING, 5);
            resize(leader, Map.of("partitions", 32));
            dies(leader, Moment.CLOSING);
            dies(told, Moment.TOLD);
            dies(asked, Moment.ASKED);
            Process next = start(Moment.NEXT, 0);
            dies(start(Moment.BEQUEATHING, 3), Moment.BEQUEATHING);
            dies(start(Moment.OPENING, 0), Moment.OPENING);
            dies(start(Moment.FORWARDING, 3), Moment.FORWARDING);
            dies(start(Moment.FORWARDED, 0), Moment.FORWARDED);
            dies(opened, Moment.OPENED);
            Process releasing = start(Moment.RELEASING, 0);
            dies(start(Moment.COMPLETING, 0), Moment.COMPLETING);
            dies(start(Moment.DROPPING, 2), Moment.DROPPING);

            leader = start(Moment.BARRING, 0);
            int before = web.visits().size();
            await("the next topics are served").until(() -> web.visits().size() > before + 5);
            resize(leader, Map.of("partitions", 4));
            dies(releasing, Moment.RELEASING);
            Process barred = start(Moment.BARRED, 0);
            dies(next, Moment.NEXT);
            Process laid = start(Moment.LAID, 0);
            await().until(this::channels, now -> now.partitions() == 4 && now.replaced().isEmpty());
            resize(leader, Map.of("responses", 12));
            dies(leader, Moment.BARRING);
            leader = start(Moment.LAYING, 0);
            resize(leader, Map.of("responses", 12));
            dies(leader, Moment.LAYING);
            dies(barred, Moment.BARRED);
            leader = start(Moment.COMPLETING, 0);
            dies(laid, Moment.LAID);
            workers.start(fixture, Analyzer.factory());
            workers.start(fixture, Downloader.factory());
            dies(leader, Moment.COMPLETING);

            coordinator = URI.create("http://" + workers.start(fixture, Coordinator.factory()).mid().address());
            Channels end = await().until(this::channels, now -> !now.responseLayout().changing());
            assertThat(List.of(end.partitions(), end.items(), end.ledger(), end.responses())).containsExactly(4, 9, 5,
                    12);
            await("only the last topics are left").until(() -> generations(fixture), List.of(end.generation())::equals);
            assertThat(GraphChecks.tooEarly(web, DELAY)).isEmpty();
            finish(graph, seeds);
            assertThat(GraphChecks.tooEarly(web, SHORT_DELAY)).isEmpty();
        }
    }

    /** @return the downloader that has carried out the order at last */
    private Process moveThroughDeaths(Process leader) throws Exception {
        untilAnswered(leader, api -> await().until(() -> waiting(api), waits -> waits > SEEDS / 2));
        Process entering = start(Moment.ENTERING, 0);
        // To the lowest, so that some wait at two priorities.
        untilAnswered(leader, api -> api.post(moves(), Map.of("match", "/folder/**", "to", 0)));
        dies(entering, Moment.ENTERING);
        dies(start(Moment.ENTERED, 0), Moment.ENTERED);
        Process last = start(Moment.ASKED, 0);
        untilAnswered(leader, api -> {
            MoveReport moved = await().until(() -> api.get(moves()).as(QueueReport.class).moves().getLast(),
                    MoveReport::complete);
            assertThat(moved.moved()).isPositive();
        });
        return last;
    }

    private void finish(LinkGraph graph, List<String> seeds) throws InterruptedException {
        try (Api api = new Api(coordinator); CoordinatorClient client = new CoordinatorClient(coordinator)) {
            assertThat(waiting(api)).as("the crawl had work left all the time").isPositive();
            api.patch("/api/v1/crawls/" + CRAWL, Map.of("fetch", Map.of("delay", SHORT_DELAY.toMillis() + "ms")));
            CrawlSummary end = await().until(() -> client.crawl(CRAWL).orElseThrow(),
                    crawl -> crawl.state() == CrawlState.STOPPED);
            assertThat(end.end()).map(End::reason).contains(EndReason.FINISHED);
            Output output = new Output(folder.resolve("pages"));
            GraphChecks.output(graph, seeds, DEPTH, output);
            GraphChecks.accounted(end.totals(), output);
            assertThat(waiting(api)).isZero();
        }
    }

    private static String moves() {
        return "/api/v1/crawls/" + CRAWL + "/moves";
    }

    private static long waiting(Api api) throws InterruptedException {
        return api.get("/api/v1/queue").as(QueueSummary.class).levels().stream().mapToLong(Level::waiting).sum();
    }

    private Channels channels() throws InterruptedException {
        try (Api api = new Api(coordinator)) {
            return api.get("/api/v1/summary").as(FleetSummary.class).channels().orElseThrow();
        }
    }

    private static List<Integer> generations(KafkaFixture fixture) throws Exception {
        TopicNames names = fixture.topics();
        try (Admin admin = fixture.kafka().admin()) {
            return admin.listTopics().names().get().stream().filter(names::isRequests).map(names::generation).distinct()
                    .toList();
        }
    }

    private Process start(Moment moment, int passed) throws IOException {
        Map<String, String> own = new HashMap<>(settings);
        int port = FreePort.find();
        own.put("trawl.http.port", Integer.toString(port));
        if (moment.factory().kind() == ModuleKind.COORDINATOR) {
            coordinator = URI.create("http://127.0.0.1:" + port);
        }
        Process process = DyingProcess.start(folder, own, moment, passed);
        processes.add(process);
        return process;
    }

    private void dies(Process process, Moment moment) throws InterruptedException, IOException {
        assertThat(process.waitFor(TestTimeouts.LIMIT)).as("%s is reached:\n%s", moment, log(moment)).isTrue();
        assertThat(process.exitValue()).as("%s:\n%s", moment, log(moment)).isEqualTo(DyingProcess.DIED);
    }

    private String log(Moment moment) throws IOException {
        return Files.readString(folder.resolve(moment + ".log"));
    }

    private interface Call {
        void of(Api api) throws Exception;
    }

    private void resize(Process leader, Map<String, Integer> counts) throws Exception {
        untilAnswered(leader, api -> api.post("/api/v1/queue/resize", counts));
    }

    /** Acts for a user who calls until the coordinator leads and answers, or is dead. */
    private void untilAnswered(Process leader, Call call) {
        await().pollInterval(Duration.ofMillis(200)).until(() -> {
            try (Api api = new Api(coordinator)) {
                call.of(api);
                return true;
            } catch (CoordinatorUnavailableException e) {
                return !leader.isAlive();
            }
        });
    }
}
