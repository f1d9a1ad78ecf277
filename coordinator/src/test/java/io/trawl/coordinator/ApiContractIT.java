package io.trawl.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.api.Counts;
import io.trawl.codec.Codec;
import io.trawl.codec.Json;
import io.trawl.coordinator.api.ApiEndpoint;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlerError;
import io.trawl.model.MID;
import io.trawl.module.Registration;
import io.trawl.module.StageState.Phase;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisStore;
import io.trawl.settings.SettingsReader;
import io.trawl.time.Time;
import io.trawl.worker.Worker;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The REST interface responds as its OpenAPI document says, and each documented error occurs. */
class ApiContractIT {
    private static final String READ = "read-token-0123456789";
    private static final String WRITE = "write-token-0123456789";
    private static final String LINE = "{\"url\":\"https://example.org/\"}";
    private final ApiDocument document = new ApiDocument();
    private final HttpClient http = HttpClient.newHttpClient();
    private Optional<Fleet> fleet = Optional.empty();

    @AfterEach
    void stop() {
        fleet.ifPresent(Fleet::close);
        http.close();
    }

    @Test
    void everyOperationRespondsAsDocumentedAndEveryDocumentedErrorOccurs() throws Exception {
        Worker leader = leading(Map.of("trawl.topics.capacity", "100"));
        DocumentedCaller c = new DocumentedCaller(http, document, leader, Map.of());
        definitions(c);
        changes(c);
        lists(c);
        streams(c);
        for (String path : List.of("/api/v1/summary", "/api/v1/summary?format=text", "/api/v1/summary?shape=scheduler",
                "/api/v1/summary?shape=scheduler&crawl=docs", "/api/v1/queue", "/api/v1/modules", "/api/v1/history",
                "/api/v1/events", "/api/v1/stop-signs", "/api/v1/stop-sign", "/api/v1/crawls/docs/stop-sign",
                "/api/v1/openapi.yaml", "/api/v1/openapi.json",
                "/api/v1/explain?crawl=docs&url=https%3A%2F%2Fexample.org%2F")) {
            c.get(path, 200);
        }
        errors(leader, c);
        c.post("/api/v1/stop-sign", "", 200);
        c.delete("/api/v1/stop-sign", 200);
        c.post("/api/v1/stop-sign?module=" + leader.mid().instance(), "", 409);
        c.post("/api/v1/preview", "{\"url\":\"https://example.org/\"}", 503);
        c.post("/api/v1/preview/values", "{\"page\":\"0\",\"field\":\"h1\"}", 400);
        modules(leader, c);
        settings(c);
        moves(c);
        resize(c);
        c.get("/api/v1/summary?shape=scheduler&crawl=none", 404);
        views(c);
        domains(c);
        endings(c);
        tokens();
        assertThat(document.seenOperations()).containsExactlyInAnyOrderElementsOf(document.operations());
        assertThat(document.seenStatuses()).containsAll(document.documented());
    }

    private static void definitions(DocumentedCaller c) throws Exception {
        String definition = "{\"seeds\":[{\"url\":\"https://example.org/\",\"priority\":2}],\"fetch\":{\"delay\":\"0ms\"}}";
        c.put("/api/v1/crawls/docs", definition, 201);
        c.put("/api/v1/crawls/docs?start=true", definition, 200);
        c.get("/api/v1/crawls/docs", 200);
        c.get("/api/v1/crawls/docs?format=text", 200);
        c.get("/api/v1/crawls/docs?format=xml", 400);
        c.get("/api/v1/crawls/none", 404);
        c.get("/api/v1/crawls?limit=1", 200);
        assertThat(Json.mapper().readTree(c.send("GET", "/api/v1/crawls/docs", "").body()).at("/definition/seeds"))
                .hasSize(1);
        for (JsonNode brief : List.of(
                Json.mapper().readTree(c.send("GET", "/api/v1/summary", "").body()).at("/crawls/0"),
                Json.mapper().readTree(c.send("GET", "/api/v1/crawls", "").body()).at("/0"))) {
            assertThat(brief.path("definedSeeds").asInt()).isOne();
            assertThat(brief.path("definition").has("seeds")).as("there may be very many").isFalse();
        }
        c.put("/api/v1/crawls/bad", "{\"limits\":{\"depth\":-2},\"fetch\":{\"delay\":\"2h\"}}", 400);
        c.put("/api/v1/crawls/bad", "{nonsense", 400);
        c.put("/api/v1/crawls/docs", "{\"limits\":{\"depth\":7}}", 409);
        c.with("Content-Type", "text/plain").put("/api/v1/crawls/docs", definition, 415);
        c.with("Content-Type", "text/plain").post("/api/v1/crawls/docs/seeds", LINE, 415);
        c.with("Content-Type", "text/plain").post("/api/v1/preview", "{}", 415);
        c.put("/api/v1/crawls/big", "{\"fetch\":{\"userAgent\":\"" + "x".repeat(33 << 20) + "\"}}", 413);
        c.post("/api/v1/crawls/docs/start", "", 409);
        c.post("/api/v1/crawls/docs/seeds", "[{\"url\":\"https://example.org/1\"},\"https://example.org/2\"]", 202);
        c.post("/api/v1/crawls/docs/seeds", "{\"url\":\"https://example.org/1\"}", 202);
        c.post("/api/v1/crawls/docs/seeds", "\"https://example.org/1\"", 202);
        c.post("/api/v1/crawls/docs/seeds", "[null]", 400);
        c.post("/api/v1/crawls/docs/seeds", "{\"url\":\"https://example.org/1\",\"metod\":\"POST\"}", 400);
        c.post("/api/v1/crawls/docs/seeds", many(301), 429);
    }

    private static void changes(DocumentedCaller c) throws Exception {
        String path = "/api/v1/crawls/docs";
        HttpResponse<String> shown = c.send("GET", path + "/definition", "");
        String tag = shown.headers().firstValue("ETag").orElseThrow();
        c.get(path + "/definition", 200);
        c.with("If-None-Match", tag).get(path + "/definition", 304);
        DocumentedCaller patch = c.with("Content-Type", "application/merge-patch+json");
        c.patch(path, "{}", 415);
        patch.patch(path, "{\"fetch\":{\"delay\":500}}", 400);
        patch.with("If-Match", "\"1-other\"").patch(path, "{\"fetch\":{\"delay\":\"5s\"}}", 412);
        patch.patch(path + "?dryRun=true", "{\"fetch\":{\"delay\":\"9s\"}}", 200);
        patch.patch(path + "?dryRun=true", "{\"fetch\":{\"delay\":9}}", 400);
        patch.with("If-Match", "\"1-other\"").patch(path + "?dryRun=true", "{\"fetch\":{\"delay\":\"9s\"}}", 412);
        c.with("If-Match", "\"1-other\"").put(path + "?dryRun=true", "{\"limits\":{\"maxPages\":9}}", 412);
        c.with("If-Match", tag).put(path + "?dryRun=true", "{\"scope\":{\"exclude\":[\"/b/**\"]}}", 200);
        patch.with("If-Match", tag).patch(path, "{\"fetch\":{\"delay\":\"5s\"},\"limits\":{\"maxPages\":70}}", 200);
        patch.with("If-Match", tag).patch(path, "{\"fetch\":{\"delay\":\"6s\"}}", 412);
        patch.patch(path, "{\"limits\":{\"maxPages\":null}}", 200);
        patch.patch(path, "{\"limits\":{\"depth\":9}}", 409);
        patch.patch("/api/v1/crawls/none", "{}", 404);
        JsonNode definition = Json.mapper().readTree(c.send("GET", path + "/definition", "").body());
        assertThat(definition.at("/fetch/delay").asText()).isEqualTo("5s");
        assertThat(definition.at("/limits/maxPages").isMissingNode()).as("null stands for the default").isTrue();
        assertThat(definition.at("/seeds")).as("what a patch does not name stays").hasSize(1);
        c.put(path + "?dryRun=true", "{\"limits\":{\"depth\":9}}", 200);
        c.put("/api/v1/crawls/none?dryRun=true", "{\"seeds\":[\"https://example.org/\"]}", 200);
        c.get("/api/v1/crawls/none", 404);
        c.with("If-None-Match", "*").put(path, "{}", 412);
        patch.patch(path, "{\"fetch\":{\"delay\":\"0ms\"}}", 200);
        HttpResponse<String> made = c.with("If-None-Match", "*").send("PUT", "/api/v1/crawls/made", "{}");
        assertThat(made.statusCode()).isEqualTo(201);
        assertThat(made.headers().firstValue("Location")).contains("/api/v1/crawls/made");
        c.delete("/api/v1/crawls/made", 204);
    }

    private static void lists(DocumentedCaller c) throws Exception {
        c.put("/api/v1/crawls/other", "{}", 201);
        assertThat(ids(c, "?state=INITIALIZED")).containsExactly("other");
        assertThat(ids(c, "?sort=-crawl")).containsExactly("other", "docs");
        assertThat(ids(c, "?sort=-crawl&cursor=other")).containsExactly("docs");
        assertThat(ids(c, "?limit=1")).containsExactly("docs");
        HttpResponse<String> some = c.send("GET", "/api/v1/crawls?fields=crawl,state&limit=1", "");
        assertThat(Json.mapper().readTree(some.body()).get(0).fieldNames()).toIterable()
                .containsExactlyInAnyOrder("crawl", "state");
        assertThat(some.headers().firstValue("Link").orElseThrow()).contains("cursor=docs", "fields=crawl%2Cstate");
        c.get("/api/v1/crawls?fields=crawl,stat", 400);
        c.get("/api/v1/crawls?state=started", 400);
        c.with("Accept", "image/png").get("/api/v1/crawls", 406);
        c.delete("/api/v1/crawls/other", 204);
    }

    private static List<String> ids(DocumentedCaller c, String query) throws Exception {
        return Json.mapper().readTree(c.send("GET", "/api/v1/crawls" + query, "").body()).valueStream()
                .map(crawl -> crawl.path("crawl").asText()).toList();
    }

    private void streams(DocumentedCaller c) throws Exception {
        for (String path : List.of("/api/v1/events/stream", "/api/v1/summary/stream")) {
            HttpResponse<InputStream> stream = http.send(c.with("Last-Event-ID", "0:0").request("GET", path, ""),
                    BodyHandlers.ofInputStream());
            try (BufferedReader in = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
                document.check("GET", path, stream.statusCode(), DocumentedCaller.type(stream), "");
                assertThat(in.lines().limit(5).toList()).anyMatch(line -> line.startsWith("id: "))
                        .anyMatch(line -> line.startsWith("data: {"));
            }
            assertThat(c.send("HEAD", path, "").statusCode()).as("ends at once").isEqualTo(200);
        }
    }

    private void errors(Worker leader, DocumentedCaller c) throws Exception {
        Fleet running = fleet.orElseThrow();
        running.kafka.produce(running.kafka.topics().errors(),
                List.of(new String(Codec.encode(CrawlerError.of(leader.mid(), Optional.of(new CrawlId("docs")),
                        Optional.of("https://example.org/"), "TIMEOUT", "slow", 1, Instant.now()).from("t", 0, 1)),
                        StandardCharsets.UTF_8)));
        await().until(() -> c.send("GET", "/api/v1/errors", "").body().contains("slow"));
        c.get("/api/v1/errors", 200);
        HttpResponse<InputStream> stream = http.send(
                c.with("Last-Event-ID", "0:0").request("GET", "/api/v1/errors/stream", ""),
                BodyHandlers.ofInputStream());
        try (InputStream in = stream.body()) {
            assertThat(in.read()).isEqualTo('r');
            document.check("GET", "/api/v1/errors/stream", stream.statusCode(), DocumentedCaller.type(stream), "");
        }
    }

    /** There are no workers, and their answers are checked with them. */
    private static void views(DocumentedCaller c) throws Exception {
        c.get("/api/v1/history?minutes=60", 200);
        c.get("/api/v1/history?crawl=docs", 200);
        c.get("/api/v1/history?minutes=0", 400);
        c.get("/api/v1/history?crawl=none", 404);
        for (String path : List.of("/items", "/items/i0.0.0", "/items.jsonl")) {
            c.get("/api/v1/crawls/none" + path, 404);
            c.get("/api/v1/crawls/docs" + path, 503);
            c.get("/api/v1/crawls/docs" + path + "?epoch=2", 400);
        }
        c.get("/api/v1/crawls/none/diff", 404);
        c.get("/api/v1/crawls/docs/diff", 503);
        c.get("/api/v1/crawls/docs/diff?until=2", 400);
        c.get("/api/v1/crawls/none/visits", 404);
        c.get("/api/v1/crawls/docs/visits", 404);
        c.post("/api/v1/crawls/none/retry", "", 404);
        c.post("/api/v1/crawls/docs/retry", "", 503);
        c.get("/api/v1/hosts", 503);
        c.get("/api/v1/hosts?sort=size", 400);
    }

    private static void moves(DocumentedCaller c) throws Exception {
        c.get("/api/v1/crawls/docs/moves", 200);
        c.get("/api/v1/crawls/none/moves", 404);
        c.post("/api/v1/crawls/docs/moves", "{\"to\":1}", 400);
        c.post("/api/v1/crawls/docs/moves", "{\"host\":\"example.org\",\"to\":99}", 400);
        c.post("/api/v1/crawls/none/moves", "{\"host\":\"example.org\",\"to\":1}", 404);
        c.post("/api/v1/crawls/docs/moves", "{\"host\":\"example.org\",\"to\":1}", 200);
    }

    /** The leases of the old topics are free, since there are no downloaders. */
    private static void resize(DocumentedCaller c) throws Exception {
        c.post("/api/v1/queue/resize", "{}", 400);
        c.post("/api/v1/queue/resize", "{\"partition\":9}", 400);
        c.post("/api/v1/queue/resize", "{\"partitions\":0}", 400);
        c.post("/api/v1/queue/resize", "{\"partitions\":8,\"levels\":3}", 400);
        c.post("/api/v1/queue/resize", "{\"ledger\":1001}", 400);
        c.post("/api/v1/queue/resize", "{\"ledger\":9}", 202);
        c.post("/api/v1/queue/resize", "{\"responses\":9,\"levels\":5}", 400);
        c.post("/api/v1/queue/resize?plan=true", "{\"partitions\":12}", 200);
        c.post("/api/v1/queue/resize?plan=true", "{\"items\":9}", 200);
        c.post("/api/v1/queue/resize", "{\"items\":9}", 202);
        c.post("/api/v1/queue/resize", "{\"partitions\":12,\"levels\":5,\"items\":3}", 202);
        await().until(() -> {
            JsonNode channels = Json.mapper().readTree(c.send("GET", "/api/v1/summary", "").body()).path("channels");
            return channels.path("replacement").path("generation").asInt() == 1
                    && channels.path("partitions").asInt() == 12 && channels.path("items").asInt() == 3
                    && channels.at("/formerItems/1").asInt() == 9;
        });
        c.get("/api/v1/queue", 200);
        c.post("/api/v1/queue/resize?plan=true", "{\"responses\":9}", 200);
        c.post("/api/v1/queue/resize", "{\"responses\":9,\"items\":4}", 202);
        await("nothing was left to handle").until(() -> {
            JsonNode channels = Json.mapper().readTree(c.send("GET", "/api/v1/summary", "").body()).path("channels");
            return channels.path("responses").asInt() == 9 && channels.at("/layout/number").asInt() == 1
                    && channels.at("/layout/left").isMissingNode() && channels.path("items").asInt() == 4;
        });
    }

    private static void settings(DocumentedCaller c) throws Exception {
        DocumentedCaller patch = c.with("Content-Type", "application/merge-patch+json");
        c.patch("/api/v1/settings", "{}", 415);
        patch.patch("/api/v1/settings", "{\"politenessKey\":\"ip\"}", 400);
        patch.patch("/api/v1/settings", "{\"serialsStart\":1000000000}", 400);
        patch.patch("/api/v1/settings", "{\"serialsStart\":7,\"capacity\":200}", 200);
        c.get("/api/v1/settings", 200);
        assertThat(Json.mapper().readTree(c.send("GET", "/api/v1/settings", "").body()).path("capacity").asLong())
                .isEqualTo(200);
        await().until(() -> Json.mapper().readTree(c.send("GET", "/api/v1/summary", "").body())
                .at("/serials/DOWNLOADER/start").asLong() == 7);
    }

    private static void domains(DocumentedCaller c) throws Exception {
        c.put("/api/v1/crawls/docs/domains/other.net", "", 200);
        c.put("/api/v1/crawls/docs/domains/co.uk", "", 400);
        c.delete("/api/v1/crawls/docs/domains/other.net", 200);
        c.delete("/api/v1/crawls/docs/domains/example.org", 400);
        c.delete("/api/v1/crawls/none/domains/example.org", 404);
        c.get("/api/v1/crawls/docs/domains", 200);
        c.get("/api/v1/crawls/none/domains", 404);
    }

    private static void endings(DocumentedCaller c) throws Exception {
        c.delete("/api/v1/crawls/docs", 409);
        c.post("/api/v1/crawls/none/refresh", "", 404);
        c.post("/api/v1/crawls/docs/refresh", "", 409);
        c.post("/api/v1/crawls/docs/refresh?dryRun=true", "", 409);
        c.post("/api/v1/crawls/none/close", "", 404);
        c.post("/api/v1/crawls/docs/close", "", 200);
        c.post("/api/v1/crawls/docs/seeds", LINE, 409);
        c.post("/api/v1/crawls/docs/stop", "", 200);
        domains(c);
        c.delete("/api/v1/crawls/docs", 409);
        c.put("/api/v1/crawls/gone", "{}", 201);
        c.delete("/api/v1/crawls/gone", 204);
        c.delete("/api/v1/crawls/gone", 404);
    }

    private void modules(Worker leader, DocumentedCaller c) throws Exception {
        c.get(summary(leader.mid()), 200);
        c.get(summary(leader.mid()).replace("/summary", "/logs"), 200);
        c.get(summary(leader.mid()).replace("/summary", "/logs?lines=0"), 400);
        c.get("/api/v1/modules/unknown/summary", 404);
        c.get("/api/v1/modules/" + leader.mid().instance() + "/logs", 200);
        MID dead = MID.parse("D99|127.0.0.1:1");
        c.get(summary(dead), 404);
        try (RedisStore store = RedisStore.connect(RedisServers.of(fleet.orElseThrow().kafka.settings().redis()),
                fleet.orElseThrow().kafka.topics().namespace(), "any", "any", Time.system())) {
            store.registrar().register(
                    new Registration(dead, 0, new Counts(0, 0, 0, 0, 0, 0), Instant.now(), Map.of(), Phase.RUNNING),
                    Duration.ofSeconds(30));
            c.get(summary(dead), 502);
        }
    }

    /** A follower judges the caller, and signs what it passes on to the leader. */
    private void tokens() throws Exception {
        fleet.orElseThrow().close();
        Worker first = leading(Map.of("trawl.api.read-token", READ, "trawl.api.write-token", WRITE));
        Worker second = fleet.orElseThrow().startCoordinator();
        fleet.orElseThrow().awaitStable(first, second);
        for (Worker worker : List.of(first, second)) {
            DocumentedCaller write = bearing(worker, WRITE);
            await().until(() -> write.send("PUT", "/api/v1/crawls/docs", "{}").statusCode() < 300);
        }
        for (Worker worker : List.of(first, second)) {
            DocumentedCaller anonymous = new DocumentedCaller(http, document, worker, Map.of());
            anonymous.get("/api/v1/crawls/docs", 401);
            bearing(worker, "wrong-token-0123456789").get("/api/v1/crawls/docs", 401);
            bearing(worker, READ).get("/api/v1/crawls/docs", 200);
            bearing(worker, READ).put("/api/v1/crawls/docs", "{}", 403);
            bearing(worker, WRITE).put("/api/v1/crawls/docs", "{}", 200);
            bearing(worker, READ).get(summary(worker.mid()), 200);
            assertThat(anonymous.send("GET", "/health/ready", "").statusCode()).isEqualTo(200);
            assertThat(anonymous.send("GET", "/api/v1/crawls/docs", "").headers().firstValue("WWW-Authenticate"))
                    .isPresent();
            bearing(worker, READ).with("Content-Type", "application/jsonl").post("/api/v1/crawls/docs/seeds", LINE,
                    403);
            bearing(worker, WRITE).with("Content-Type", "application/jsonl").post("/api/v1/crawls/docs/seeds", LINE,
                    202);
        }
    }

    @Test
    void unknownPathsWrongMethodsAndAStartingCoordinatorAreProblemDocuments() throws Exception {
        Worker leader = leading(Map.of());
        DocumentedCaller c = new DocumentedCaller(http, document, leader, Map.of());
        assertThat(c.send("GET", "/api/v1/nothing", "").statusCode()).isEqualTo(404);
        HttpResponse<String> method = c.send("POST", "/api/v1/crawls", "");
        assertThat(method.statusCode()).isEqualTo(405);
        assertThat(DocumentedCaller.type(method)).isEqualTo("application/problem+json");
        ApiEndpoint starting = new ApiEndpoint(SettingsReader.from(Map.of()), 0);
        try {
            HttpResponse<String> answer = http.send(HttpRequest
                    .newBuilder(URI.create("http://127.0.0.1:" + starting.port() + "/api/v1/summary")).build(),
                    BodyHandlers.ofString());
            assertThat(answer.headers().firstValue("Retry-After")).contains("1");
            document.check("GET", "/api/v1/summary", answer.statusCode(), DocumentedCaller.type(answer), answer.body());
            assertThat(answer.statusCode()).isEqualTo(503);
        } finally {
            starting.close();
        }
    }

    @Test
    void theTextHasTheSameNumbersAsTheJson() throws Exception {
        Worker leader = leading(Map.of());
        DocumentedCaller c = new DocumentedCaller(http, document, leader, Map.of());
        c.send("PUT", "/api/v1/crawls/docs?start=true", "{\"seeds\":[{\"url\":\"https://example.org/\"}]}");
        await().until(() -> fleet.orElseThrow().crawl(leader, "docs").totals().waiting() == 1);
        await().untilAsserted(() -> {
            var all = Json.mapper().readTree(c.send("GET", "/api/v1/summary", "").body());
            HttpResponse<String> text = c.with("Accept", "text/plain").send("GET", "/api/v1/summary", "");
            assertThat(DocumentedCaller.type(text)).startsWith("text/plain");
            assertThat(text.body()).contains("; " + leader.mid() + " leads\n",
                    all.path("queue").path("line").asText() + "\n", "docs/1: started after ",
                    "1 emitted = 0 pages + 1 waiting\n", leader.mid() + "  coordinator");
        });
        assertThat(c.send("GET", "/api/v1/crawls/docs?format=text", "").body()).containsPattern("  waiting +1  p1 1\n")
                .containsPattern("  domains +1  example.org\n");
    }

    private Worker leading(Map<String, String> settings) throws InterruptedException {
        Fleet made = new Fleet(settings);
        fleet = Optional.of(made);
        return made.leader();
    }

    private DocumentedCaller bearing(Worker worker, String token) {
        return new DocumentedCaller(http, document, worker, Map.of("Authorization", "Bearer " + token));
    }

    private static String many(int seeds) {
        return "[" + String.join(",", java.util.Collections.nCopies(seeds, "{\"url\":\"https://example.org/2\"}"))
                + "]";
    }

    private static String summary(MID module) {
        return "/api/v1/modules/" + URLEncoder.encode(module.toString(), StandardCharsets.UTF_8) + "/summary";
    }
}
