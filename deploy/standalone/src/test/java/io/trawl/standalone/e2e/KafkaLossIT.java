package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.codec.Codec;
import io.trawl.embedded.EmbeddedKafka;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlerError;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.LinkGraph;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The broker loses what it had acknowledged last, and Redis does not: its facts are about records that are gone. */
class KafkaLossIT {
    private static final CrawlId CRAWL = new CrawlId("loss");
    private static final int PAGES = 400;
    private static final int DEPTH = 10;
    @TempDir
    private Path temp;
    private EmbeddedKafka broker;
    private KafkaFixture fixture;

    @BeforeEach
    void startBroker() {
        broker = EmbeddedKafka.start(temp.resolve("kafka"), 0);
        fixture = new KafkaFixture(OneJvmFleet.settings(temp.resolve("out"),
                Map.of("trawl.kafka.bootstrap-servers", broker.bootstrapServers())));
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void aCrawlWhoseRecordsAreLostForgetsTheFactsAboutThemAndEndsComplete() throws Exception {
        try (FakeWeb web = FakeWeb.start(8)) {
            LinkGraph graph = LinkGraph.serve(web, PAGES, 3, 37);
            try (OneJvmFleet fleet = new OneJvmFleet(temp.resolve("out"), fixture)) {
                fleet.client().define(CRAWL, GraphChecks.definition(graph, DEPTH, "60ms"), false);
                await().until(() -> web.visits().size() > PAGES / 8);
            }
            broker.stop();
            Path backup = temp.resolve("backup");
            copy(temp.resolve("kafka"), backup);
            broker.start();
            try (OneJvmFleet fleet = new OneJvmFleet(temp.resolve("out"), fixture)) {
                await().until(() -> web.visits().size() > PAGES / 2);
                assertThat(losses()).as("a restart of the broker is no loss").isEmpty();
            }
            broker.stop();
            delete(temp.resolve("kafka"));
            copy(backup, temp.resolve("kafka"));
            broker.start();
            try (OneJvmFleet fleet = new OneJvmFleet(temp.resolve("out"), fixture)) {
                fleet.awaitFinished(CRAWL);
                GraphChecks.outputWithRepeats(graph, List.of(graph.url(0)), DEPTH, new Output(temp.resolve("out")));
                await().until(() -> losses().size() == 1);
                assertThat(losses().getFirst().cause()).contains("items-0 from offset ");
            }
        }
    }

    private List<CrawlerError> losses() {
        return fixture.records(fixture.topics().errors()).stream().map(r -> Codec.error(r.value()))
                .filter(error -> error.kind().equals("KAFKA_LOST_RECORDS")).toList();
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
