package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.analyzer.Analyzer;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.Coordinator;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.downloader.Downloader;
import io.trawl.model.CrawlId;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.pipeline.Pipeline;
import io.trawl.standalone.client.CoordinatorClient;
import io.trawl.standalone.client.CoordinatorUnavailableException;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.FreePort;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.LocalWorkers;
import io.trawl.testkit.Output;
import io.trawl.testkit.TestTimeouts;
import io.trawl.worker.Worker;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One crawl in which a process dies at every {@link Moment}, one after the other: coordinators from the definition to
 * the record of the end, analyzers and downloaders in between. Each leaves its unfinished work to the next. The output
 * is exact and the end is known.
 */
class KilledBetweenStepsIT {
    private static final CrawlId CRAWL = new CrawlId("steps");
    private static final int PAGES = 400;
    private static final int DEPTH = 8;
    @TempDir
    private Path folder;
    private final LocalWorkers workers = new LocalWorkers();
    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void stop() {
        processes.forEach(Process::destroyForcibly);
        workers.close();
    }

    @Test
    void whereverAProcessDiesBetweenTwoStepsNothingIsLostOrRepeatedAndTheEndIsKnown() throws Exception {
        Map<String, String> settings = Map.of("trawl.out", folder.resolve("pages").toString(), "trawl.allow-network",
                "127.0.0.0/8", "trawl.lease", "3s", "trawl.downloader.lease", "4s", "trawl.analyzer.batch", "5");
        KafkaFixture fixture = new KafkaFixture(settings);
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(Map.of("trawl.kafka.bootstrap-servers", fixture.settings().kafka().bootstrapServers(),
                "trawl.redis.url", fixture.settings().redis().url(), "trawl.namespace", fixture.topics().namespace()));
        try (FakeWeb web = FakeWeb.start(6)) {
            LinkGraph graph = LinkGraph.serve(web, PAGES, 4, 29);
            defineInSpiteOf(Moment.DEFINED, all, graph);
            dies(start(Moment.ADMITTED, all, 0), Moment.ADMITTED);
            defineInSpiteOf(Moment.STARTING, all, graph);
            Process last = start(Moment.FINISHING, all, 0);
            workers.start(fixture, Pipeline.factory());
            Worker downloader = workers.start(fixture, Downloader.factory());
            die(List.of(Moment.LEARNT, Moment.WRITING, Moment.COMMITTED), all);
            downloader.stop(Duration.ofSeconds(5));
            workers.start(fixture, Analyzer.factory());
            die(List.of(Moment.ACKNOWLEDGED, Moment.TAUGHT, Moment.MARKED), all);
            assertThat(web.visits().size()).as("the crawl had work left all the time").isLessThan(PAGES);
            workers.start(fixture, Downloader.factory());
            dies(last, Moment.FINISHING);
            CrawlSummary end = finishedBy(workers.start(fixture, Coordinator.factory()));
            assertThat(end.end()).map(End::reason).contains(EndReason.FINISHED);
            GraphChecks.output(graph, List.of(graph.url(0)), DEPTH, new Output(folder.resolve("pages")));
            GraphChecks.accounted(end.totals(), new Output(folder.resolve("pages")));
        }
    }

    /** One after the other, since they share the partitions; the next are already there. */
    private void die(List<Moment> moments, Map<String, String> settings) throws InterruptedException, IOException {
        List<Process> waiting = new ArrayList<>();
        for (Moment moment : moments) {
            waiting.add(start(moment, settings, 1));
        }
        for (int i = 0; i < moments.size(); i++) {
            dies(waiting.get(i), moments.get(i));
        }
    }

    private Process start(Moment moment, Map<String, String> settings, int passed) throws IOException {
        Process process = DyingProcess.start(folder, settings, moment, passed);
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

    /** Acts for a user who calls until the coordinator is dead. */
    private void defineInSpiteOf(Moment moment, Map<String, String> settings, LinkGraph graph) throws Exception {
        int port = FreePort.find();
        Map<String, String> own = new HashMap<>(settings);
        own.put("trawl.http.port", Integer.toString(port));
        Process coordinator = start(moment, own, 0);
        try (CoordinatorClient client = new CoordinatorClient(URI.create("http://127.0.0.1:" + port))) {
            await().pollInterval(Duration.ofMillis(200)).until(() -> {
                if (coordinator.isAlive()) {
                    ask(client, graph);
                }
                return !coordinator.isAlive();
            });
        }
        dies(coordinator, moment);
    }

    private static void ask(CoordinatorClient client, LinkGraph graph) throws InterruptedException {
        try {
            client.define(CRAWL, definition(graph), false);
        } catch (CoordinatorUnavailableException e) {
            // It does not lead yet, or it is dead.
        }
    }

    private static CrawlSummary finishedBy(Worker coordinator) {
        try (CoordinatorClient client = new CoordinatorClient(URI.create("http://" + coordinator.mid().address()))) {
            return await().until(() -> client.crawl(CRAWL),
                    crawl -> crawl.filter(c -> c.state() == CrawlState.STOPPED).isPresent()).orElseThrow();
        }
    }

    /** The limit is one page more than there are: the crawl ends only if the dead have left no permit behind. */
    private static CrawlDefinition definition(LinkGraph graph) {
        long pages = graph.reachable(List.of(graph.url(0)), DEPTH).values().stream()
                .filter(expected -> expected.kind() == OutcomeKind.PAGE).count();
        return Json.read(
                "{\"seeds\": [{\"url\": \"%s\"}], \"limits\": {\"depth\": %d, \"maxPages\": %d}, \"fetch\": {\"delay\": \"20ms\"}, \"scope\": {\"domains\": [\"%s\"]}}"
                        .formatted(graph.url(0), DEPTH, pages + 1, String.join("\",\"", graph.domains()))
                        .getBytes(StandardCharsets.UTF_8),
                CrawlDefinition.class);
    }
}
