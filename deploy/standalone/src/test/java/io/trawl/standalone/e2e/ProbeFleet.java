package io.trawl.standalone.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.model.ModuleKind;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.KafkaFixture;
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
import java.util.Map;
import java.util.Optional;

/** One of each module in this JVM and a web of its own, asked over HTTP. */
final class ProbeFleet implements AutoCloseable {
    final FakeWeb web;
    final KafkaFixture fixture;
    final Worker coordinator;
    final Worker downloader;
    final Worker analyzer;
    private final OneJvmFleet fleet;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Optional<String> token;

    /** @param settings named as {@code trawl.grace}, beside the usual ones of a test */
    ProbeFleet(int hosts, Path out, Map<String, String> settings) throws InterruptedException {
        web = FakeWeb.start(hosts);
        token = Optional.ofNullable(settings.get("trawl.api.write-token"));
        fleet = new OneJvmFleet(out, settings).ofAllHosts();
        fixture = fleet.fixture();
        coordinator = fleet.coordinator();
        analyzer = fleet.worker(ModuleKind.ANALYZER);
        downloader = fleet.worker(ModuleKind.DOWNLOADER);
    }

    /** A response. */
    record Answer(int status, JsonNode body) {}

    Answer ask(Worker at, String method, String path, String type, byte[] body)
            throws IOException, InterruptedException {
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

    /** Defines a crawl and starts a fresh run of it. */
    void crawl(String id, Map<String, ?> definition) throws IOException, InterruptedException {
        Answer answer = ask(coordinator, "PUT", "/api/v1/crawls/" + id + "?start=true&fresh=true", "application/json",
                Json.bytes(definition));
        if (answer.status() / 100 != 2) {
            throw new IllegalStateException(answer.toString());
        }
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        fleet.close();
        http.shutdownNow();
        web.close();
    }
}
