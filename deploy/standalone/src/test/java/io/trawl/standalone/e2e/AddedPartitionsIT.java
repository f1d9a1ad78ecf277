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
import io.trawl.ledger.DepthMode;
import io.trawl.model.CrawlId;
import io.trawl.model.Seed;
import io.trawl.module.StageState.Phase;
import io.trawl.pipeline.Pipeline;
import io.trawl.settings.Settings;
import io.trawl.standalone.client.CoordinatorClient;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.LocalWorkers;
import io.trawl.testkit.Visit;
import io.trawl.worker.Worker;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator adds partitions to the topics of a running crawl, as one would scale any other consumer of Kafka. */
class AddedPartitionsIT {
    private static final CrawlId CRAWL = new CrawlId("grown");
    private static final int HOSTS = 12;
    private static final int PAGES = 900;
    /** The largest at which the set of pages does not depend on the order in which they are fetched. */
    private static final int DEPTH = DepthMode.LARGEST_EXACT_LIMIT;
    private static final Duration DELAY = Duration.ofMillis(200);
    /** A host notes the time when it has read a request, which may be late for one and in time for the next. */
    private static final Duration CLOCK = Duration.ofMillis(5);
    @TempDir
    private Path out;
    private final LocalWorkers workers = new LocalWorkers();

    @AfterEach
    void stop() {
        workers.close();
    }

    @Test
    void partitionsThatAreAddedToAnyTopicChangeNeitherPolitenessNorTheOutputNorTheEnd() throws Exception {
        KafkaFixture fixture = new KafkaFixture(Map.of("trawl.out", out.toString(), "trawl.allow-network", "127.0.0.0/8",
                "trawl.lease", "3s"));
        Worker coordinator = workers.start(fixture, Coordinator.factory());
        workers.start(fixture, Pipeline.factory());
        Worker analyzer = workers.start(fixture, Analyzer.factory());
        Worker downloader = workers.start(fixture, Downloader.factory());
        workers.start(fixture, Downloader.factory());
        try (FakeWeb web = FakeWeb.start(HOSTS);
                CoordinatorClient client = new CoordinatorClient(URI.create("http://" + coordinator.mid().address()))) {
            LinkGraph graph = LinkGraph.serve(web, PAGES, 3, 29);
            await().until(() -> coordinator.stage().state() == Phase.LEADING);
            client.define(CRAWL, definition(graph), false);
            await().until(() -> web.visits().size() > HOSTS);
            addPartitions(fixture);
            seedInAnAddedPartition(fixture, graph.url(1));
            // A producer learns the new count after some minutes, a new one at once.
            analyzer.stop(Duration.ofSeconds(10));
            workers.start(fixture, Analyzer.factory());
            downloader.stop(Duration.ofSeconds(10));
            workers.start(fixture, Downloader.factory());
            await()
                    .until(() -> client.crawl(CRAWL).filter(c -> c.state() == CrawlState.STOPPED).isPresent());
            assertThat(client.crawl(CRAWL).flatMap(CrawlSummary::end)).map(End::reason).contains(EndReason.FINISHED);
            GraphChecks.output(graph, List.of(graph.url(0), graph.url(1)), DEPTH, new Output(out));
            counts(fixture).forEach((topic, count) -> assertThat(fixture.records(topic)).as(topic)
                    .extracting(ConsumerRecord::partition).allMatch(partition -> partition < count));
            for (int host = 0; host < HOSTS; host++) {
                assertThat(early(web.visits(web.host(host)))).isEmpty();
            }
        }
    }

    /** How many partitions each topic had at first. */
    private static Map<String, Integer> counts(KafkaFixture fixture) {
        Settings.TopicSettings settings = fixture.settings().topics();
        Map<String, Integer> counts = new HashMap<>(Map.of(fixture.topics().responses(), settings.responsePartitions(),
                fixture.topics().items(), settings.itemPartitions(), fixture.topics().ledger(), settings.ledgerPartitions()));
        for (int level = 0; level < settings.levels(); level++) {
            counts.put(fixture.topics().requests(1, level), settings.requestPartitions());
        }
        return counts;
    }

    private static void addPartitions(KafkaFixture fixture) throws InterruptedException, ExecutionException {
        try (Admin admin = fixture.kafka().admin()) {
            admin.createPartitions(Stream.concat(counts(fixture).keySet().stream(), Stream.of(fixture.topics().seeds()))
                    .collect(Collectors.toMap(topic -> topic, topic -> NewPartitions.increaseTo(20)))).all().get();
        }
    }

    /** As another program may write it, whose producer knows the new partitions. */
    private static void seedInAnAddedPartition(KafkaFixture fixture, String url) {
        try (Producer<byte[], byte[]> producer = fixture.producer()) {
            producer.send(new ProducerRecord<>(fixture.topics().seeds(), 3, KafkaFixture.bytes("any"),
                    Codec.encode(Seed.of(CRAWL, url, Optional.empty()))));
        }
    }

    private static List<Visit> early(List<Visit> visits) {
        List<Visit> early = new ArrayList<>();
        for (int i = 1; i < visits.size(); i++) {
            if (visits.get(i).arrived() - visits.get(i - 1).arrived() < DELAY.minus(CLOCK).toNanos()) {
                early.add(visits.get(i));
            }
        }
        return early;
    }

    private static CrawlDefinition definition(LinkGraph graph) {
        return Json.read("""
                {"seeds": [{"url": "%s"}], "limits": {"depth": %d}, "fetch": {"delay": "%dms"}, "scope": {"domains": ["%s"]}}"""
                .formatted(graph.url(0), DEPTH, DELAY.toMillis(), String.join("\",\"", graph.domains()))
                .getBytes(StandardCharsets.UTF_8), CrawlDefinition.class);
    }
}
