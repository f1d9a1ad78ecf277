package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.analyzer.Analyzer;
import io.trawl.codec.Codec;
import io.trawl.downloader.Downloader;
import io.trawl.ledger.DepthMode;
import io.trawl.model.CrawlId;
import io.trawl.model.ModuleKind;
import io.trawl.model.Seed;
import io.trawl.settings.Settings;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.Output;
import java.nio.file.Path;
import java.time.Duration;
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
    @TempDir
    private Path out;

    @Test
    void partitionsThatAreAddedToAnyTopicChangeNeitherPolitenessNorTheOutputNorTheEnd() throws Exception {
        try (FakeWeb web = FakeWeb.start(HOSTS); OneJvmFleet fleet = new OneJvmFleet(out)) {
            LinkGraph graph = LinkGraph.serve(web, PAGES, 3, 29);
            KafkaFixture fixture = fleet.fixture();
            fleet.start(Downloader.factory());
            fleet.client().define(CRAWL, GraphChecks.definition(graph, DEPTH, DELAY.toMillis() + "ms"), false);
            await().until(() -> web.visits().size() > HOSTS);
            addPartitions(fixture);
            seedInAnAddedPartition(fixture, graph.url(1));
            // A producer learns the new count after some minutes, a new one at once.
            fleet.worker(ModuleKind.ANALYZER).stop(Duration.ofSeconds(10));
            fleet.start(Analyzer.factory());
            fleet.worker(ModuleKind.DOWNLOADER).stop(Duration.ofSeconds(10));
            fleet.start(Downloader.factory());
            fleet.awaitFinished(CRAWL);
            GraphChecks.output(graph, List.of(graph.url(0), graph.url(1)), DEPTH, new Output(out));
            counts(fixture).forEach((topic, count) -> assertThat(fixture.records(topic)).as(topic)
                    .extracting(ConsumerRecord::partition).allMatch(partition -> partition < count));
            assertThat(GraphChecks.tooEarly(web, DELAY)).isEmpty();
        }
    }

    /** How many partitions each topic had at first. */
    private static Map<String, Integer> counts(KafkaFixture fixture) {
        Settings.TopicSettings settings = fixture.settings().topics();
        Map<String, Integer> counts = new HashMap<>(
                Map.of(fixture.topics().responses(), settings.responsePartitions(), fixture.topics().items(),
                        settings.itemPartitions(), fixture.topics().ledger(), settings.ledgerPartitions()));
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
}
