package io.trawl.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.codec.Codec;
import io.trawl.codec.Json;
import io.trawl.coordinator.api.ApiEndpoint;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlerError;
import io.trawl.model.MID;
import io.trawl.module.Counts;
import io.trawl.module.Registration;
import io.trawl.redis.RedisStore;
import io.trawl.settings.SettingsReader;
import io.trawl.time.Time;
import io.trawl.worker.Worker;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The REST interface answers as its OpenAPI document says, and each error that it names can be met. */
@Timeout(180)
class ApiContractIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String READ = "read-token-0123456789";
    private static final String WRITE = "write-token-0123456789";
    private final ApiDocument document = new ApiDocument();
    private final HttpClient http = HttpClient.newHttpClient();
    private Optional<Fleet> fleet = Optional.empty();

    @AfterEach
    void stop() {
        fleet.ifPresent(Fleet::close);
        http.close();
    }

    @Test
    void everyOperationAnswersAsDocumentedAndEveryErrorCanBeMet() throws Exception {
        Worker c = leading(Map.of("trawl.topics.capacity", "100"));
        String definition = "{\"seeds\":[{\"url\":\"https://example.org/\",\"priority\":2}],\"delay\":\"0ms\"}";
        ok(c, "PUT", "/api/crawls/{id}", "/api/crawls/docs", definition, 201);
        ok(c, "PUT", "/api/crawls/{id}", "/api/crawls/docs?start=true", definition, 200);
        ok(c, "GET", "/api/crawls/{id}", "/api/crawls/docs", "", 200);
        ok(c, "GET", "/api/crawls/{id}", "/api/crawls/docs?format=text", "", 200);
        ok(c, "GET", "/api/crawls/{id}", "/api/crawls/none", "", 404);
        ok(c, "GET", "/api/crawls/{id}", "/api/crawls/docs?format=xml", "", 400);
        ok(c, "GET", "/api/crawls", "/api/crawls?limit=1", "", 200);
        ok(c, "PUT", "/api/crawls/{id}", "/api/crawls/bad", "{\"depth\":-2,\"delay\":\"2h\"}", 400);
        ok(c, "PUT", "/api/crawls/{id}", "/api/crawls/bad", "{nonsense", 400);
        ok(c, "PUT", "/api/crawls/{id}", "/api/crawls/docs", "{\"depth\":7}", 409);
        ok(c, "PUT", "/api/crawls/{id}", "/api/crawls/big", "{\"userAgent\":\"" + "x".repeat(33 << 20) + "\"}", 413);
        ok(c, "POST", "/api/crawls/{id}/start", "/api/crawls/docs/start", "", 409);
        ok(c, "POST", "/api/crawls/{id}/seeds", "/api/crawls/docs/seeds", "[{\"url\":\"https://example.org/1\"}]", 202);
        ok(c, "POST", "/api/crawls/{id}/seeds", "/api/crawls/docs/seeds", many(301), 429);
        ok(c, "GET", "/api/crawls/{id}/stop-sign", "/api/crawls/docs/stop-sign", "", 200);
        for (String path : List.of("/api/summary", "/api/queue", "/api/modules", "/api/history", "/api/events", "/api/stop-signs",
                "/api/openapi.yaml")) {
            ok(c, "GET", path, path, "", 200);
        }
        ok(c, "GET", "/api/summary", "/api/summary?format=text", "", 200);
        fleet.orElseThrow().kafka.produce(fleet.orElseThrow().kafka.topics().errors(), List.of(new String(Codec.encode(
                CrawlerError
                        .of(c.mid(), Optional.of(new CrawlId("docs")), Optional.of("https://example.org/"), "TIMEOUT", "slow", 1,
                                Instant.now())
                        .from("t", 0, 1)),
                StandardCharsets.UTF_8)));
        await().atMost(SOON).until(() -> send(c, "GET", "/api/errors", "", Map.of()).body().contains("slow"));
        ok(c, "GET", "/api/errors", "/api/errors", "", 200);
        HttpResponse<InputStream> stream = http.send(request(c, "GET", "/api/errors/stream", "", Map.of("Last-Event-ID", "0:0")),
                HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream in = stream.body()) {
            assertThat(in.read()).isEqualTo('r');
            document.check("GET /api/errors/stream", stream.statusCode(), stream.headers().firstValue("Content-Type").orElse(""),
                    "");
        }
        ok(c, "GET", "/api/crawls/{id}/domains", "/api/crawls/docs/domains", "", 200);
        ok(c, "PUT", "/api/crawls/{id}/domains/{name}", "/api/crawls/docs/domains/other.net", "", 200);
        ok(c, "DELETE", "/api/crawls/{id}/domains/{name}", "/api/crawls/docs/domains/other.net", "", 200);
        ok(c, "GET", "/api/explain", "/api/explain?crawl=docs&url=https%3A%2F%2Fexample.org%2F", "", 200);
        ok(c, "PUT", "/api/crawls/{id}", "/api/crawls/gone", "{}", 201);
        ok(c, "DELETE", "/api/crawls/{id}", "/api/crawls/gone", "", 204);
        ok(c, "DELETE", "/api/crawls/{id}", "/api/crawls/docs", "", 409);
        ok(c, "POST", "/api/stop-sign", "/api/stop-sign", "", 200);
        ok(c, "DELETE", "/api/stop-sign", "/api/stop-sign", "", 200);
        ok(c, "POST", "/api/preview", "/api/preview", "{\"url\":\"https://example.org/\"}", 503);
        modules(c);
        ok(c, "POST", "/api/crawls/{id}/stop", "/api/crawls/docs/stop", "", 200);
        ok(c, "DELETE", "/api/crawls/{id}", "/api/crawls/docs", "", 409);
        domains(c);
        ok(c, "PUT", "/api/crawls/{id}", "/api/crawls/gone", "{}", 201);
        ok(c, "DELETE", "/api/crawls/{id}", "/api/crawls/gone", "", 204);
        ok(c, "DELETE", "/api/crawls/{id}", "/api/crawls/gone", "", 404);
        tokens();
        assertThat(document.seenOperations()).containsExactlyInAnyOrderElementsOf(document.operations());
        assertThat(document.seenStatuses()).containsAll(document.documented());
    }

    private void domains(Worker c) throws Exception {
        String one = "/api/crawls/{id}/domains/{name}";
        ok(c, "PUT", one, "/api/crawls/docs/domains/other.net", "", 200);
        ok(c, "PUT", one, "/api/crawls/docs/domains/co.uk", "", 400);
        ok(c, "DELETE", one, "/api/crawls/docs/domains/other.net", "", 200);
        ok(c, "DELETE", one, "/api/crawls/docs/domains/example.org", "", 400);
        ok(c, "DELETE", one, "/api/crawls/none/domains/example.org", "", 404);
        ok(c, "GET", "/api/crawls/{id}/domains", "/api/crawls/docs/domains", "", 200);
        ok(c, "GET", "/api/crawls/{id}/domains", "/api/crawls/none/domains", "", 404);
    }

    private void modules(Worker c) throws Exception {
        String operation = "/api/modules/{mid}/summary";
        ok(c, "GET", operation, "/api/modules/" + encoded(c.mid().toString()) + "/summary", "", 200);
        ok(c, "GET", operation, "/api/modules/nobody/summary", "", 400);
        MID dead = MID.parse("D99|127.0.0.1:1");
        ok(c, "GET", operation, "/api/modules/" + encoded(dead.toString()) + "/summary", "", 404);
        try (RedisStore store = RedisStore.connect(fleet.orElseThrow().kafka.settings().redis().url(),
                fleet.orElseThrow().kafka.topics().namespace(), "any", "any", Time.system())) {
            store.registrar().register(new Registration(dead, 0, new Counts(0, 0, 0, 0, 0), Instant.now(), Map.of(), "running"),
                    Duration.ofSeconds(30));
            ok(c, "GET", operation, "/api/modules/" + encoded(dead.toString()) + "/summary", "", 502);
        }
    }

    /** A follower passes the caller's token on, so the leader judges it as well. */
    private void tokens() throws Exception {
        fleet.orElseThrow().close();
        Worker first = leading(Map.of("trawl.api.read-token", READ, "trawl.api.write-token", WRITE));
        Worker second = fleet.orElseThrow().startCoordinator();
        fleet.orElseThrow().awaitStable(first, second);
        Map<String, String> read = Map.of("Authorization", "Bearer " + READ);
        Map<String, String> write = Map.of("Authorization", "Bearer " + WRITE);
        await().atMost(SOON).until(() -> send(second, "PUT", "/api/crawls/docs", "{}", write).statusCode() < 300
                && send(first, "PUT", "/api/crawls/docs", "{}", write).statusCode() < 300);
        for (Worker c : List.of(first, second)) {
            ok(c, "GET", "/api/crawls/{id}", "/api/crawls/docs", "", 401, Map.of());
            ok(c, "GET", "/api/crawls/{id}", "/api/crawls/docs", "", 401,
                    Map.of("Authorization", "Bearer wrong-token-0123456789"));
            ok(c, "GET", "/api/crawls/{id}", "/api/crawls/docs", "", 200, read);
            ok(c, "PUT", "/api/crawls/{id}", "/api/crawls/docs", "{}", 403, read);
            ok(c, "PUT", "/api/crawls/{id}", "/api/crawls/docs", "{}", 200, write);
            ok(c, "GET", "/api/modules/{mid}/summary", "/api/modules/" + encoded(c.mid().toString()) + "/summary", "", 200, read);
            assertThat(send(c, "GET", "/health/ready", "", Map.of()).statusCode()).isEqualTo(200);
            assertThat(send(c, "GET", "/api/crawls/docs", "", Map.of()).headers().firstValue("WWW-Authenticate")).isPresent();
        }
        HttpResponse<String> lines = send(second, "POST", "/api/crawls/docs/seeds", "{\"url\":\"https://example.org/\"}",
                with(read, "Content-Type", "application/jsonl"));
        assertThat(lines.statusCode()).isEqualTo(403);
        for (Worker c : List.of(first, second)) {
            assertThat(send(c, "POST", "/api/crawls/docs/seeds", "{\"url\":\"https://example.org/\"}",
                    with(write, "Content-Type", "application/jsonl")).statusCode()).isEqualTo(202);
        }
    }

    @Test
    void whatIsNotThereOrNotAMethodIsAProblemAndSoIsACoordinatorThatIsStarting() throws Exception {
        Worker c = leading(Map.of());
        assertThat(send(c, "GET", "/api/nothing", "", Map.of()).statusCode()).isEqualTo(404);
        HttpResponse<String> method = send(c, "POST", "/api/crawls", "", Map.of());
        assertThat(method.statusCode()).isEqualTo(405);
        assertThat(method.headers().firstValue("Content-Type")).contains("application/problem+json");
        ApiEndpoint starting = new ApiEndpoint(SettingsReader.from(Map.of()));
        try {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + starting.port() + "/api/summary")).build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.headers().firstValue("Retry-After")).contains("1");
            document.check("GET /api/summary", answer.statusCode(), answer.headers().firstValue("Content-Type").orElse(""),
                    answer.body());
            assertThat(answer.statusCode()).isEqualTo(503);
        } finally {
            starting.close();
        }
    }

    @Test
    void theTextSaysTheSameNumbersAsTheJson() throws Exception {
        Worker c = leading(Map.of());
        send(c, "PUT", "/api/crawls/docs?start=true", "{\"seeds\":[{\"url\":\"https://example.org/\"}]}", Map.of());
        await().atMost(SOON).until(() -> fleet.orElseThrow().crawl(c, "docs").totals().waiting() == 1);
        await().atMost(SOON).untilAsserted(() -> {
            var all = Json.mapper().readTree(send(c, "GET", "/api/summary", "", Map.of()).body());
            HttpResponse<String> text = send(c, "GET", "/api/summary", "", Map.of("Accept", "text/plain"));
            assertThat(text.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain");
            assertThat(text.body()).startsWith(all.path("queue").path("line").asText() + "\n").contains("leader: " + c.mid(),
                    "crawl docs/1, state: started, idle: false, emitted 1, waiting 1, pages 0", "module " + c.mid());
        });
        assertThat(send(c, "GET", "/api/crawls/docs?format=text", "", Map.of()).body()).contains("waiting: 1 1",
                "domains: example.org");
    }

    private Worker leading(Map<String, String> settings) throws InterruptedException {
        Fleet made = new Fleet(settings);
        fleet = Optional.of(made);
        Worker coordinator = made.startCoordinator();
        await().atMost(SOON).until(() -> Fleet.leads(coordinator));
        return coordinator;
    }

    private void ok(Worker at, String method, String template, String path, String body, int status) throws Exception {
        ok(at, method, template, path, body, status, Map.of());
    }

    private void ok(Worker at, String method, String template, String path, String body, int status, Map<String, String> headers)
            throws Exception {
        HttpResponse<String> answer = send(at, method, path, body, headers);
        assertThat(answer.statusCode()).as("%s %s: %s", method, path, answer.body()).isEqualTo(status);
        if (status == 429 || status == 503) {
            assertThat(answer.headers().firstValue("Retry-After")).as(path).isPresent();
        }
        document.check(method + " " + template, status, answer.headers().firstValue("Content-Type").orElse(""), answer.body());
    }

    private HttpResponse<String> send(Worker at, String method, String path, String body, Map<String, String> headers)
            throws IOException, InterruptedException {
        return http.send(request(at, method, path, body, headers), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest request(Worker at, String method, String path, String body, Map<String, String> headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + at.mid().address() + path))
                .method(method, BodyPublishers.ofString(body));
        headers.forEach(request::header);
        return request.build();
    }

    private static Map<String, String> with(Map<String, String> headers, String name, String value) {
        Map<String, String> all = new HashMap<>(headers);
        all.put(name, value);
        return all;
    }

    private static String many(int seeds) {
        return "[" + String.join(",", java.util.Collections.nCopies(seeds, "{\"url\":\"https://example.org/2\"}")) + "]";
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
