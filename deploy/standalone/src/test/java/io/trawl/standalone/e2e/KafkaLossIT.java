package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.standalone.client.SeedSource;
import io.trawl.channel.offset.LogEndCheck;
import io.trawl.channel.offset.TopicOffsets;
import io.trawl.codec.Codec;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.RefreshRules;
import io.trawl.embedded.EmbeddedKafka;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlerError;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.redis.RedisStore;
import io.trawl.redis.RedisServers;
import io.trawl.store.LogEndStore.LogEnd;
import io.trawl.time.Time;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.Folders;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.Output;
import java.io.File;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
            Folders.copy(temp.resolve("kafka"), backup);
            broker.start();
            try (OneJvmFleet fleet = new OneJvmFleet(temp.resolve("out"), fixture)) {
                await().until(() -> web.visits().size() > PAGES / 2);
                assertThat(losses()).as("a restart of the broker is no loss").isEmpty();
            }
            broker.stop();
            Folders.delete(temp.resolve("kafka"));
            Folders.copy(backup, temp.resolve("kafka"));
            broker.start();
            try (OneJvmFleet fleet = new OneJvmFleet(temp.resolve("out"), fixture)) {
                ended(fleet);
                GraphChecks.outputWithRepeats(graph, List.of(graph.url(0)), DEPTH, new Output(temp.resolve("out")));
                // More than once, if the leader starts again before it has stored the ends that it has found.
                await().until(() -> !losses().isEmpty());
                assertThat(losses().getFirst().cause()).contains("items-0 from offset ");
            }
        }
    }

    /**
     * The leader is away while the broker is, and longer: it has not seen how far the logs had come. Or it has looked
     * since, at logs that had grown again.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("nightly")
    void aLossThatNoLeaderHasSeenComingIsKnownByWhatWasHandled(boolean lookedSince) throws Exception {
        Path backup = temp.resolve("backup");
        try (FakeWeb web = FakeWeb.start(8);
                Admin admin = fixture.kafka().admin();
                RedisStore redis = RedisStore.connect(RedisServers.of(fixture.settings().redis()),
                        fixture.topics().namespace(), admin.describeCluster().clusterId().get(), "any", Time.system());
                LogEndCheck ends = new LogEndCheck(redis.logEnds(), new TopicOffsets(admin, _ -> true),
                        () -> fixture.topics().ofFacts(Optional.empty()))) {
            LinkGraph graph = LinkGraph.serve(web, PAGES, 3, 37);
            try (OneJvmFleet fleet = new OneJvmFleet(temp.resolve("out"), fixture)) {
                fleet.client().define(CRAWL, GraphChecks.definition(graph, DEPTH, "60ms"), false);
                await().until(() -> web.visits().size() > PAGES / 8);
            }
            broker.stop();
            Folders.copy(temp.resolve("kafka"), backup);
            broker.start();
            Map<String, LogEnd> seen = redis.logEnds().noted();
            try (OneJvmFleet fleet = new OneJvmFleet(temp.resolve("out"), fixture)) {
                await().until(() -> web.visits().size() > PAGES / 2);
            }
            broker.stop();
            goBack(backup, Integer.MAX_VALUE, name -> name.startsWith(fixture.topics().namespace() + "items-"));
            broker.start();
            redis.logEnds().note(lookedSince ? ends.now() : seen);
            try (OneJvmFleet fleet = new OneJvmFleet(temp.resolve("out"), fixture)) {
                ended(fleet);
                assertThat(losses()).isNotEmpty();
                GraphChecks.outputWithRepeats(graph, List.of(graph.url(0)), DEPTH, new Output(temp.resolve("out")));
            }
        }
    }

    /** The last seconds of all logs, as after a loss of power of the broker's machine alone. */
    @Test
    void processesThatLiveThroughTheLossOfTheLastSecondsOfAllLogsStartAgainAndTheCrawlIsComplete() throws Exception {
        loseWhileProcessesLive(false, Integer.MAX_VALUE, name -> !name.startsWith("__cluster_metadata"));
    }

    /** As after an unclean election in each partition of a topic. */
    @ParameterizedTest
    @ValueSource(strings = {"requests.", "responses-", "items-", "ledger-", "seeds-", "control-", "positions-"})
    @Tag("nightly")
    void theSameIfOneTopicAloneHasLostThem(String topic) throws Exception {
        loseWhileProcessesLive(Set.of("seeds-", "control-").contains(topic), Integer.MAX_VALUE,
                name -> name.startsWith(fixture.topics().namespace() + topic));
    }

    /** As after an unclean election in one partition. */
    @ParameterizedTest
    @ValueSource(strings = {"requests.", "responses-", "items-"})
    @Tag("nightly")
    void theSameIfOnePartitionAloneHasLostThem(String topic) throws Exception {
        loseWhileProcessesLive(false, 1, name -> name.startsWith(fixture.topics().namespace() + topic));
    }

    /** As after an unclean election there: to live members of a group the client says that this is the end. */
    @Test
    @Tag("nightly")
    void groupsThatKafkaHasForgottenAreJoinedAgainAndNothingIsStoredTwice() throws Exception {
        try (FakeWeb web = FakeWeb.start(8); OneJvmFleet fleet = new OneJvmFleet(temp.resolve("out"), fixture)) {
            LinkGraph graph = LinkGraph.serve(web, PAGES, 3, 37);
            fleet.client().define(CRAWL, GraphChecks.definition(graph, DEPTH, "60ms"), false);
            await().until(() -> web.visits().size() > PAGES / 8);
            broker.stop();
            try (Stream<Path> files = Files.walk(temp.resolve("kafka"))) {
                List<Path> logs = files.filter(path -> path.getFileName().toString().startsWith("__consumer_offsets-"))
                        .toList();
                assertThat(logs).isNotEmpty();
                for (Path log : logs) {
                    Folders.delete(log);
                }
            }
            broker.start();
            ended(fleet);
            assertThat(fleet.ended()).isEmpty();
            assertThat(losses()).isEmpty();
            GraphChecks.output(graph, List.of(graph.url(0)), DEPTH, new Output(temp.resolve("out")));
        }
    }

    /** Redis has noted the run that is lost, of which records and files may be left. */
    @Test
    @Tag("nightly")
    void aCrawlWhoseDefinitionIsLostAndThatIsDefinedAgainIsCompleteInAnotherRun() throws Exception {
        Path backup = temp.resolve("backup");
        try (FakeWeb web = FakeWeb.start(8); OneJvmFleet fleet = new OneJvmFleet(temp.resolve("out"), fixture)) {
            LinkGraph graph = LinkGraph.serve(web, PAGES, 3, 37);
            broker.stop();
            Folders.copy(temp.resolve("kafka"), backup);
            broker.start();
            define(fleet, graph);
            await().until(() -> web.visits().size() > PAGES / 2);
            broker.stop();
            goBack(backup, Integer.MAX_VALUE, name -> !name.startsWith("__cluster_metadata"));
            broker.start();
            await().ignoreExceptions().until(() -> fleet.client().crawl(CRAWL).isEmpty());
            define(fleet, graph);
            assertThat(ended(fleet).run().epoch()).isEqualTo(2);
            assertThat(fleet.ended()).isEmpty();
            GraphChecks.outputWithRepeats(graph, List.of(graph.url(0)), DEPTH,
                    new Output(temp.resolve("out"), CRAWL + "-2"));
        }
    }

    /**
     * The visits of the first run that were to be made, or those that a refresh has carried over, are lost with the end
     * of {@code visits}.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("nightly")
    void noPageIsLostWithTheVisitsThatARefreshMakesOrCarriesOver(boolean carried) throws Exception {
        Path backup = temp.resolve("backup");
        try (FakeWeb web = FakeWeb.start(8);
                OneJvmFleet fleet = new OneJvmFleet(temp.resolve("out"), fixture);
                HttpClient http = HttpClient.newHttpClient()) {
            LinkGraph graph = LinkGraph.serve(web, PAGES, 3, 37);
            CrawlDefinition definition = GraphChecks.definition(graph, DEPTH, "20ms")
                    .withRefresh(Optional.of(RefreshRules.DEFAULT));
            fleet.client().define(CRAWL, definition, false);
            await().until(() -> carried ? ended(fleet) != null : web.visits().size() > PAGES / 2);
            broker.stop();
            Folders.copy(temp.resolve("kafka"), backup);
            broker.start();
            ended(fleet);
            refresh(http, fleet, carried ? "?match=/**0" : "");
            await().ignoreExceptions().until(() -> fleet.client().crawl(CRAWL).orElseThrow().totals().unchanged() > 5);
            broker.stop();
            goBack(backup, 1, name -> name.startsWith(fixture.topics().namespace() + "visits-"));
            broker.start();
            await().until(() -> !losses().isEmpty());
            assertThat(ended(fleet).epoch()).isEqualTo(2);

            refresh(http, fleet, "");
            CrawlSummary last = await().ignoreExceptions().until(() -> ended(fleet), crawl -> crawl.epoch() == 3);
            assertThat(fleet.ended()).isEmpty();
            assertThat(last.totals().unchanged()).isEqualTo(GraphChecks
                    .urls(graph.reachable(List.of(graph.url(0)), DEPTH, graph.domains()), OutcomeKind.PAGE).size());
        }
    }

    /** The coordinator refuses while a loss is repaired. */
    private static void refresh(HttpClient http, OneJvmFleet fleet, String query) {
        await().ignoreExceptions()
                .until(() -> http.send(
                        HttpRequest.newBuilder(fleet.address().resolve("/api/v1/crawls/" + CRAWL + "/refresh" + query))
                                .header("Content-Type", "application/json").POST(BodyPublishers.noBody()).build(),
                        BodyHandlers.ofString()).statusCode() == 200);
    }

    /** The coordinator does not answer for a moment after the broker. */
    private static void define(OneJvmFleet fleet, LinkGraph graph) {
        await().ignoreExceptions().until(
                () -> fleet.client().define(CRAWL, GraphChecks.definition(graph, DEPTH, "60ms"), false), _ -> true);
    }

    private void loseWhileProcessesLive(boolean seeded, int partitions, Predicate<String> lost) throws Exception {
        Path backup = temp.resolve("backup");
        try (FakeWeb web = FakeWeb.start(8); OneJvmFleet fleet = new OneJvmFleet(temp.resolve("out"), fixture)) {
            LinkGraph graph = LinkGraph.serve(web, PAGES, 3, 37);
            fleet.client().define(CRAWL, GraphChecks.definition(graph, DEPTH, "60ms"), false);
            await().until(() -> web.visits().size() > PAGES / 8);
            broker.stop();
            Folders.copy(temp.resolve("kafka"), backup);
            broker.start();
            if (seeded) {
                seedAndStartAgain(fleet, graph.url(1));
            }
            await().until(() -> web.visits().size() > PAGES / 2);
            broker.stop();
            goBack(backup, partitions, lost);
            broker.start();
            CrawlSummary ended = ended(fleet);
            assertThat(ended.notes()).anySatisfy(note -> assertThat(note).startsWith("Kafka has lost records of "));
            assertThat(losses()).isNotEmpty();
            assertThat(fleet.ended()).isEmpty();
            GraphChecks.outputWithRepeats(graph, List.of(graph.url(0)), DEPTH, new Output(temp.resolve("out")));
        }
    }

    /** So that {@code seeds} and {@code control} have something to lose. */
    private void seedAndStartAgain(OneJvmFleet fleet, String seed) throws Exception {
        Path file = Files.writeString(temp.resolve("seeds"), "{\"url\": \"" + seed + "\"}");
        await().ignoreExceptions().until(() -> {
            fleet.client().seeds(CRAWL, new SeedSource(file.toString(), Optional.empty()), _ -> {});
            return fleet.client().stop(CRAWL).state() != CrawlState.STARTED;
        });
        await().ignoreExceptions().until(() -> fleet.client().start(CRAWL).state() != CrawlState.STOPPED);
    }

    /** The coordinator does not answer for a moment while it starts again. */
    private static CrawlSummary ended(OneJvmFleet fleet) {
        CrawlSummary ended = await().ignoreExceptions().until(() -> fleet.client().crawl(CRAWL).orElseThrow(),
                crawl -> crawl.end().isPresent());
        assertThat(ended.end().orElseThrow().reason()).isEqualTo(EndReason.FINISHED);
        assertThat(ended.totals().waiting()).isZero();
        return ended;
    }

    /**
     * The logs of these partitions that are longer now are what they were; the files beside them say where all logs
     * end.
     */
    private void goBack(Path backup, int partitions, Predicate<String> lost) throws IOException {
        Path logs = temp.resolve("kafka");
        try (Stream<Path> folders = Files.walk(backup)) {
            for (Path folder : folders
                    .filter(path -> path.getFileName().toString().matches(".+-[0-9]+") && Files.isDirectory(path))
                    .filter(path -> lost.test(path.getFileName().toString()))
                    .filter(path -> log(path).length() < log(logs.resolve(backup.relativize(path))).length())
                    .limit(partitions).toList()) {
                Path present = logs.resolve(backup.relativize(folder));
                Folders.delete(present);
                Folders.copy(folder, present);
            }
        }
    }

    private static File log(Path partition) {
        return partition.resolve("00000000000000000000.log").toFile();
    }

    private List<CrawlerError> losses() {
        return fixture.records(fixture.topics().errors()).stream().map(r -> Codec.error(r.value()))
                .filter(error -> error.kind().equals("KAFKA_LOST_RECORDS")).toList();
    }
}
