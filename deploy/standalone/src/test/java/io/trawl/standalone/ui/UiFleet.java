package io.trawl.standalone.ui;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.analyzer.Analyzer;
import io.trawl.api.Counts;
import io.trawl.api.Item;
import io.trawl.api.ItemProcessor;
import io.trawl.api.ProcessedItem;
import io.trawl.codec.Json;
import io.trawl.coordinator.Coordinator;
import io.trawl.downloader.Downloader;
import io.trawl.model.MID;
import io.trawl.module.Registration;
import io.trawl.module.StageState.Phase;
import io.trawl.pipeline.Pipeline;
import io.trawl.pipeline.process.ProcessorChain;
import io.trawl.pipeline.sink.FaultPoint;
import io.trawl.pipeline.sink.SinkFolder.FileOpener;
import io.trawl.testkit.KafkaFixture;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisStore;
import io.trawl.testkit.LocalWorkers;
import io.trawl.testkit.TestServers;
import io.trawl.time.Time;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A fleet in this JVM, and its REST interface, for comparison with the page. */
final class UiFleet implements AutoCloseable {
    private final LocalWorkers workers = new LocalWorkers();
    private final HttpClient http = HttpClient.newHttpClient();
    private final KafkaFixture fixture;
    private final URI address;
    private final Optional<String> token;

    /**
     * Starts a coordinator and {@code each} of every worker.
     *
     * @param more settings
     */
    UiFleet(Path out, int each, Map<String, String> more) throws InterruptedException {
        Map<String, String> settings = new HashMap<>(Map.of("trawl.out", out.toString(), "trawl.allow-network",
                "127.0.0.0/8", "trawl.grace", "5s", "trawl.lease", "3s", "trawl.downloader.back-off", "50ms"));
        settings.putAll(more);
        token = Optional.ofNullable(settings.get("trawl.api.read-token"));
        fixture = new KafkaFixture(settings);
        address = URI.create("http://" + workers.start(fixture, Coordinator.factory()).mid().address() + "/");
        for (int i = 0; i < each; i++) {
            workers.start(fixture, Pipeline.factory(plugins -> new ProcessorChain(List.of(new ByPath())),
                    FileOpener.REAL, FaultPoint.NONE));
            workers.start(fixture, Analyzer.factory());
            workers.start(fixture, Downloader.factory());
        }
        // A coordinator answers before it leads, and refuses definitions until then.
        await("a leader").until(() -> get("api/v1/summary").has("leader"));
    }

    /** Drops the items of {@code /dropped} and fails on those of {@code /failing}. */
    private static final class ByPath implements ItemProcessor {
        @Override
        public String name() {
            return "by-path";
        }

        @Override
        public ProcessedItem process(Item item) {
            return switch (URI.create(item.url()).getPath()) {
                case "/dropped" -> ProcessedItem.drop("unwanted");
                case "/failing" -> throw new IllegalArgumentException(item.url());
                default -> ProcessedItem.keep(item);
            };
        }
    }

    /** Adds or removes a downloader that carries out no order. */
    void sleeper(boolean there) {
        MID mid = MID.parse("D999|127.0.0.1:1");
        try (RedisStore redis = RedisStore.connect(RedisServers.at(TestServers.shared().redisUrl()),
                fixture.topics().namespace(), "any", "any", Time.system())) {
            if (there) {
                redis.registrar().register(
                        new Registration(mid, 0, new Counts(0, 0, 0, 0, 0, 0), Instant.EPOCH, Map.of(), Phase.RUNNING),
                        Duration.ofHours(1));
            } else {
                redis.registrar().unregister(mid);
            }
        }
    }

    /** Where the dashboard is. */
    URI dashboard() {
        return address;
    }

    /** The answer of the REST interface. */
    JsonNode get(String path) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address.resolve(path));
        token.ifPresent(known -> request.header("Authorization", "Bearer " + known));
        return Json.mapper().readTree(send(request.build()).body());
    }

    /** Defines and starts a crawl. */
    void define(String crawl, String definition) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = send(
                HttpRequest.newBuilder(address.resolve("api/v1/crawls/" + crawl + "?start=true"))
                        .header("Content-Type", "application/json").PUT(HttpRequest.BodyPublishers.ofString(definition))
                        .build());
        if (answer.statusCode() / 100 != 2) {
            throw new AssertionError(new String(answer.body(), java.nio.charset.StandardCharsets.UTF_8));
        }
    }

    /** The answer to any request. */
    HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException {
        return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    }

    @Override
    public void close() {
        http.shutdownNow();
        workers.close();
    }
}
