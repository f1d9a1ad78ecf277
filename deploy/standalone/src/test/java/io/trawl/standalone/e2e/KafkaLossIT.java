package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.analyzer.Analyzer;
import io.trawl.codec.Codec;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.Coordinator;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.downloader.Downloader;
import io.trawl.embedded.EmbeddedKafka;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlerError;
import io.trawl.module.StageState.Phase;
import io.trawl.pipeline.Pipeline;
import io.trawl.standalone.client.CoordinatorClient;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.LocalWorkers;
import io.trawl.worker.Worker;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The broker loses what it had acknowledged last, and Redis does not: its facts are about records that are gone. */
@Timeout(180)
class KafkaLossIT {
    private static final CrawlId CRAWL = new CrawlId("loss");
    private static final int PAGES = 400;
    private static final int DEPTH = 10;
    private static final Duration SOON = Duration.ofSeconds(60);
    @TempDir
    private Path temp;
    private final LocalWorkers workers = new LocalWorkers();
    private EmbeddedKafka broker;
    private KafkaFixture fixture;

    @BeforeEach
    void startBroker() {
        broker = EmbeddedKafka.start(temp.resolve("kafka"), 0);
        fixture = new KafkaFixture(Map.of("trawl.kafka.bootstrap-servers", broker.bootstrapServers(), "trawl.out",
                temp.resolve("out").toString(), "trawl.allow-network", "127.0.0.0/8", "trawl.lease", "3s"));
    }

    @AfterEach
    void stop() {
        workers.close();
        broker.close();
    }

    @Test
    void aCrawlWhoseRecordsAreLostForgetsTheFactsAboutThemAndEndsComplete() throws Exception {
        try (FakeWeb web = FakeWeb.start(8)) {
            LinkGraph graph = LinkGraph.serve(web, PAGES, 3, 37);
            try (CoordinatorClient client = startWorkers()) {
                client.define(CRAWL, definition(graph), false);
                await().atMost(SOON).until(() -> web.visits().size() > PAGES / 8);
            }
            workers.close();
            broker.stop();
            Path backup = temp.resolve("backup");
            copy(temp.resolve("kafka"), backup);
            broker.start();
            try (CoordinatorClient client = startWorkers()) {
                await().atMost(SOON).until(() -> web.visits().size() > PAGES / 2);
                assertThat(losses()).as("a restart of the broker is no loss").isEmpty();
            }
            workers.close();
            broker.stop();
            delete(temp.resolve("kafka"));
            copy(backup, temp.resolve("kafka"));
            broker.start();
            try (CoordinatorClient client = startWorkers()) {
                await().atMost(SOON)
                        .until(() -> client.crawl(CRAWL).filter(c -> c.state() == CrawlState.STOPPED).isPresent());
                assertThat(client.crawl(CRAWL).flatMap(CrawlSummary::end)).map(End::reason).contains(EndReason.FINISHED);
                GraphChecks.outputWithRepeats(graph, List.of(graph.url(0)), DEPTH, new Output(temp.resolve("out")));
                await().atMost(SOON).until(() -> losses().size() == 1);
                assertThat(losses().getFirst().cause()).contains("items-0 from offset ");
            }
        }
    }

    private List<CrawlerError> losses() {
        return fixture.records(fixture.topics().errors()).stream().map(r -> Codec.error(r.value()))
                .filter(error -> error.kind().equals("KAFKA_LOST_RECORDS")).toList();
    }

    private CoordinatorClient startWorkers() throws InterruptedException {
        Worker coordinator = workers.start(fixture, Coordinator.factory());
        workers.start(fixture, Pipeline.factory());
        workers.start(fixture, Analyzer.factory());
        workers.start(fixture, Downloader.factory());
        await().atMost(SOON).until(() -> coordinator.stage().state() == Phase.LEADING);
        return new CoordinatorClient(URI.create("http://" + coordinator.mid().address()));
    }

    private static CrawlDefinition definition(LinkGraph graph) {
        return Json.read("""
                {"seeds": [{"url": "%s"}], "limits": {"depth": %d}, "fetch": {"delay": "60ms"}, "scope": {"domains": ["%s"]}}"""
                .formatted(graph.url(0), DEPTH, String.join("\",\"", graph.domains())).getBytes(StandardCharsets.UTF_8),
                CrawlDefinition.class);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
