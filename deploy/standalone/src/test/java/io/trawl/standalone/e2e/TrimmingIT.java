package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.channel.TopicNames;
import io.trawl.channel.TopicSpec;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.lifecycle.SeedRecord;
import io.trawl.downloader.Downloader;
import io.trawl.embedded.EmbeddedServers;
import io.trawl.model.CrawlId;
import io.trawl.model.ModuleKind;
import io.trawl.model.Seed;
import io.trawl.standalone.client.CoordinatorClient;
import io.trawl.standalone.client.CoordinatorUnavailableException;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.Output;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Handled records are deleted from every topic without a retention limit, and their segments from the broker's disk,
 * also while another crawl has stopped at its limit with requests in the same partition, which a later downloader
 * resumes.
 */
class TrimmingIT {
    private static final CrawlId CRAWL = new CrawlId("long");
    private static final CrawlId LIMITED = new CrawlId("limited");
    /** The links of the page of the limited crawl. */
    private static final int WAITING = 200;
    private static final int HOSTS = 4;
    private static final int PAGES = 1600;
    /** With URLs of this length, some hundred records fill a segment of every topic. */
    private static final int PATH = 1800;
    @TempDir
    private Path folder;

    @Test
    void theTopicsOfACrawlDoNotGrowOnTheDisk() throws Exception {
        try (EmbeddedServers servers = EmbeddedServers.start(folder.resolve("data"));
                FakeWeb web = FakeWeb.start(HOSTS)) {
            KafkaFixture fixture = new KafkaFixture(Map.ofEntries(
                    Map.entry("trawl.kafka.bootstrap-servers", servers.kafka().bootstrapServers()),
                    Map.entry("trawl.redis.url", servers.redis().url()),
                    Map.entry("trawl.out", folder.resolve("pages").toString()),
                    Map.entry("trawl.allow-network", "127.0.0.0/8"), Map.entry("trawl.topics.levels", "1"),
                    Map.entry("trawl.topics.request-partitions", "1"),
                    Map.entry("trawl.topics.response-partitions", "1"), Map.entry("trawl.topics.item-partitions", "1"),
                    Map.entry("trawl.topics.segment-bytes", "1048576"),
                    Map.entry("trawl.topics.trim-interval", "500ms"),
                    Map.entry("trawl.downloader.body-limit", "65536")));
            TopicNames topicNames = fixture.topics();
            List<String> trimmed = List.of(topicNames.requests(1, 0), topicNames.seeds(), topicNames.responses(),
                    topicNames.items());
            assertThat(TopicSpec.all(topicNames, fixture.settings().topics(), List.of(topicNames.requests(1, 0))))
                    .filteredOn(topic -> topic.retention() instanceof TopicSpec.Retention.UntilHandled)
                    .extracting(TopicSpec::name).containsExactlyElementsOf(trimmed);
            try (OneJvmFleet fleet = new OneJvmFleet(folder.resolve("pages"), fixture)) {
                CoordinatorClient client = fleet.client();
                limited(client, web, 5);
                crawl(fixture, client, web);
                await().untilAsserted(() -> assertThat(starts(fixture, trimmed))
                        .allSatisfy((topic, start) -> assertThat(start).as(topic).isGreaterThan(PAGES / 2)));
                fleet.worker(ModuleKind.DOWNLOADER).stop(Duration.ofSeconds(5));
                fleet.start(Downloader.factory());
                limited(client, web, 100_000);
                assertThat(new Output(folder.resolve("pages"), LIMITED + "-1").pages()).as("each once")
                        .hasSize(WAITING + 1);
                // The broker looks for segments that it may remove every 30 s, and removes their files 10 s later.
                await().untilAsserted(
                        () -> assertThat(trimmed).allSatisfy(topic -> assertThat(segments(servers.data(), topic))
                                .as(topic).isNotEmpty().noneMatch(name -> name.startsWith("00000000000000000000."))));
            }
        }
    }

    /** A crawl of a page with many links, up to a limit. */
    private static void limited(CoordinatorClient client, FakeWeb web, int pages) {
        String links = IntStream.range(0, WAITING).mapToObj(i -> {
            web.host(i % HOSTS).page("/waits/" + i, "a page");
            return "<a href='" + web.host(i % HOSTS).url("/waits/" + i) + "'></a>";
        }).collect(Collectors.joining());
        web.host(0).page("/list", links);
        await().ignoreExceptionsInstanceOf(CoordinatorUnavailableException.class).until(() -> client.define(LIMITED,
                Json.read(("{\"seeds\": [{\"url\": \"" + web.host(0).url("/list") + "\"}], \"scope\": {\"domains\": ["
                        + domains() + "]}, \"limits\": {\"maxPages\": " + pages
                        + "}, \"fetch\": {\"delay\": \"0ms\"}, \"priority\": 0}").getBytes(StandardCharsets.UTF_8),
                        CrawlDefinition.class),
                false) != null);
        await().until(() -> client.crawl(LIMITED)
                .filter(c -> c.state() == CrawlState.STOPPED && c.totals().pages() == Math.min(pages, WAITING + 1))
                .isPresent());
    }

    private static String domains() {
        return IntStream.range(0, HOSTS).mapToObj(host -> "\"127.0.0." + (host + 1) + "\"")
                .collect(Collectors.joining(","));
    }

    private static void crawl(KafkaFixture fixture, CoordinatorClient client, FakeWeb web) throws InterruptedException {
        await().ignoreExceptionsInstanceOf(CoordinatorUnavailableException.class)
                .until(() -> client.define(CRAWL,
                        Json.read(("{\"seeds\": [{\"url\": \"" + web.host(0).url("/")
                                + "\"}], \"scope\": {\"domains\": [" + domains()
                                + "]}, \"limits\": {\"depth\": 0}, \"fetch\": {\"delay\": \"0ms\"}, \"priority\": 0}")
                                .getBytes(StandardCharsets.UTF_8), CrawlDefinition.class),
                        false) != null);
        Random random = new Random(20261122);
        try (Producer<byte[], byte[]> producer = fixture.producer()) {
            for (int page = 0; page < PAGES; page++) {
                String path = "/"
                        + random.ints(PATH, 'a', 'z' + 1).mapToObj(Character::toString).collect(Collectors.joining());
                web.host(page % HOSTS).page(path, "a page");
                producer.send(SeedRecord.of(fixture.topics(), CRAWL,
                        Seed.of(CRAWL, web.host(page % HOSTS).url(path), Optional.of(0))));
            }
        }
        await().until(() -> client.crawl(CRAWL)
                .filter(c -> c.totals().pages() >= PAGES && c.state() == CrawlState.STOPPED).isPresent());
    }

    private static Map<String, Long> starts(KafkaFixture fixture, List<String> topics) {
        try (Consumer<byte[], byte[]> reader = fixture.kafka().reader("starts")) {
            return reader.beginningOffsets(topics.stream().map(topic -> new TopicPartition(topic, 0)).toList())
                    .entrySet().stream()
                    .collect(Collectors.toMap(start -> start.getKey().topic(), Map.Entry::getValue));
        }
    }

    private static List<String> segments(Path data, String topic) throws IOException {
        try (var files = Files.list(data.resolve("kafka").resolve("log").resolve(topic + "-0"))) {
            return files.map(file -> file.getFileName().toString()).filter(name -> name.contains(".log")).toList();
        }
    }
}
