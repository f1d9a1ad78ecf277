package io.trawl.standalone.e2e;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.analyzer.Analyzer;
import io.trawl.codec.Json;
import io.trawl.coordinator.Coordinator;
import io.trawl.downloader.Downloader;
import io.trawl.module.StageState.Phase;
import io.trawl.pipeline.Pipeline;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.LocalWorkers;
import io.trawl.testkit.TestTimeouts;
import io.trawl.worker.Worker;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** One of each module in this JVM and a web of its own, asked over HTTP. */
final class ProbeFleet implements AutoCloseable {
    final FakeWeb web;
    final KafkaFixture fixture;
    final Worker coordinator;
    final Worker downloader;
    final Worker analyzer;
    private final LocalWorkers workers = new LocalWorkers();
    private final HttpClient http = HttpClient.newHttpClient();
    private final Optional<String> token;

    /** @param settings named as {@code trawl.grace}, beside the usual ones of a test */
    ProbeFleet(int hosts, Path out, Map<String, String> settings) throws InterruptedException {
        web = FakeWeb.start(hosts);
        Map<String, String> all = new HashMap<>(Map.of("trawl.out", out.toString(), "trawl.allow-network", "127.0.0.0/8",
                "trawl.grace", "5s", "trawl.lease", "3s", "trawl.downloader.back-off", "50ms"));
        all.putAll(settings);
        token = Optional.ofNullable(all.get("trawl.api.write-token"));
        fixture = new KafkaFixture(all);
        coordinator = workers.start(fixture, Coordinator.factory());
        workers.start(fixture, Pipeline.factory());
        analyzer = workers.start(fixture, Analyzer.factory());
        downloader = workers.start(fixture, Downloader.factory());
        await().until(() -> downloader.stage().state() == Phase.RUNNING);
        await().until(() -> held() == fixture.settings().topics().requestPartitions());
    }

    private int held() {
        return downloader.stage().extra().get("leases") instanceof Map<?, ?> leases
                && leases.get("held") instanceof Integer held ? held : 0;
    }

    /** A response. */
    record Answer(int status, JsonNode body) {}

    Answer ask(Worker at, String method, String path, String type, byte[] body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + at.mid().address() + path))
                .timeout(TestTimeouts.LIMIT).header("Content-Type", type)
                .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
        token.ifPresent(t -> request.header("Authorization", "Bearer " + t));
        return answer(http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray()));
    }

    static Answer answer(HttpResponse<byte[]> response) throws IOException {
        return new Answer(response.statusCode(), Json.mapper().readTree(response.body()));
    }

    Answer post(String path, Map<String, ?> body) throws IOException, InterruptedException {
        return ask(coordinator, "POST", path, "application/json", Json.bytes(body));
    }

    Answer get(String path) throws IOException, InterruptedException {
        return ask(coordinator, "GET", path, "application/json", new byte[0]);
    }

    /** The body of an answer that is no JSON. */
    String text(String path) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(URI.create("http://" + coordinator.mid().address() + path)).build(),
                HttpResponse.BodyHandlers.ofString()).body();
    }

    Answer preview(String url) throws IOException, InterruptedException {
        return post("/api/v1/preview", Map.of("url", url));
    }

    /** Defines a crawl and starts it. */
    void crawl(String id, Map<String, ?> definition) throws IOException, InterruptedException {
        await().until(() -> coordinator.stage().state() == Phase.LEADING);
        Answer answer = ask(coordinator, "PUT", "/api/v1/crawls/" + id + "?start=true", "application/json",
                Json.bytes(definition));
        if (answer.status() != 201) {
            throw new IllegalStateException(answer.toString());
        }
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        workers.close();
        http.shutdownNow();
        web.close();
    }
}
