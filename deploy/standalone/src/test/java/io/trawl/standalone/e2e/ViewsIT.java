package io.trawl.standalone.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.standalone.e2e.ProbeFleet.Answer;
import io.trawl.testkit.Behaviours;
import io.trawl.testkit.FakeHost;
import io.trawl.testkit.NodePackages;
import io.trawl.testkit.TestTimeouts;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Items, hosts and log lines of real workers, and the retry of what failed. */
class ViewsIT {
    private static ProbeFleet fleet;
    private static FakeHost host;

    @BeforeAll
    static void start(@TempDir Path out) throws Exception {
        // Answers can be explained while their responses are there, however slow this machine is.
        fleet = new ProbeFleet(2, out.resolve("pages"), Map.of("trawl.topics.trim-interval", "1h"));
        host = fleet.web.host(0).page("/",
                "<title>Home</title><a href=/a>a</a><a href=/gone>gone</a><a href=/broken>b</a>");
        host.page("/a", "<title>A</title>" + "long text ".repeat(200)).route("/gone", Behaviours.status(404))
                .route("/broken", Behaviours.status(500)).route("/form", Behaviours.status(410));
        fleet.crawl("docs",
                Map.of("seeds",
                        List.of(Map.of("url", host.url("/")),
                                Map.of("url", host.url("/form"), "method", "POST", "body", "q=1")),
                        "fetch", Map.of("delay", "0ms"), "limits", Map.of("depth", 2)));
        ended("docs");
    }

    @AfterAll
    static void stop() {
        fleet.close();
    }

    private static void ended(String crawl) {
        await().until(() -> fleet.get("/api/v1/crawls/" + crawl).body().path("state").asText().equals("STOPPED"));
    }

    private static List<String> urls(JsonNode page) {
        return StreamSupport.stream(page.path("items").spliterator(), false)
                .map(found -> found.at("/item/url").asText()).sorted().toList();
    }

    @Test
    @Tag("nightly")
    void aClientThatAPublicGeneratorMakesOfTheDescriptionCrawls(@TempDir Path temp) throws Exception {
        NodePackages generator = NodePackages.install(temp, "openapi-typescript@7.13.0", "openapi-fetch@0.17.0",
                "typescript@5.9.3");
        Files.writeString(temp.resolve("openapi.yaml"), fleet.text("/api/v1/openapi.yaml"));
        generator.run("openapi-typescript", "openapi.yaml", "--default-non-nullable=false", "-o", "api.ts");
        try (InputStream client = requireNonNull(ViewsIT.class.getResourceAsStream("client.mts"))) {
            Files.copy(client, temp.resolve("client.mts"));
        }
        generator.run("tsc", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022", "client.mts");
        String said = generator.node(Files.readString(temp.resolve("client.mjs")),
                "http://" + fleet.coordinator.mid().address(), host.url("/"));
        assertThat(said.strip()).isEqualTo("{\"word\":\"finished\",\"backlog\":54321,\"items\":4}");
    }

    @Test
    void theItemsOfACrawlAreListedSearchedReadInFullAndDownloaded() throws Exception {
        JsonNode all = fleet.get("/api/v1/crawls/docs/items").body();
        assertThat(urls(all)).containsExactly(host.url("/"), host.url("/a"), host.url("/broken"), host.url("/form"),
                host.url("/gone"));
        assertThat(all.path("complete").asBoolean()).isTrue();
        assertThat(urls(fleet.get("/api/v1/crawls/docs/items?url=" + ProbeFleet.encoded("/gon")).body()))
                .containsExactly(host.url("/gone"));
        assertThat(urls(fleet.get("/api/v1/crawls/docs/items?kind=error&limit=1").body())).hasSize(1);
        JsonNode brief = fleet.get("/api/v1/crawls/docs/items?brief=true&url=" + ProbeFleet.encoded("/a")).body()
                .at("/items/0");
        assertThat(brief.path("item").has("text")).isFalse();
        JsonNode whole = fleet.get("/api/v1/crawls/docs/items/" + brief.path("place").asText()).body();
        assertThat(whole.at("/item/text").asText()).contains("long text");
        assertThat(whole.at("/item/parent").asText()).isEqualTo(host.url("/"));
        assertThat(fleet.get("/api/v1/crawls/docs/items/i9.9.9").status()).isEqualTo(404);
        JsonNode wrong = fleet.get("/api/v1/crawls/docs/items?cursor=x").body();
        assertThat(wrong.path("status").asInt()).isEqualTo(400);
        assertThat(wrong.at("/faults/0/field").asText()).as("%s", wrong).isEqualTo("cursor");
        assertThat(fleet.get("/api/v1/crawls/none/items").status()).isEqualTo(404);
        assertThat(fleet.text("/api/v1/crawls/docs/items.jsonl").lines()).hasSize(5)
                .allMatch(line -> line.startsWith("{\"id\":"));
    }

    @Test
    void whatARunHasChangedIsListedAndAPageComparedByWords() throws Exception {
        Map<String, Object> definition = Map.of("seeds", List.of(Map.of("url", host.url("/changing"))), "fetch",
                Map.of("delay", "0ms"));
        host.page("/changing", "<title>A</title><p>The old way");
        fleet.crawl("twice", definition);
        ended("twice");
        await().untilAsserted(() -> assertThat(fleet.get("/api/v1/crawls/twice/diff").body().path("detail").asText())
                .contains("twice-1 was compared with no other run"));
        host.page("/changing", "<title>A</title><p>The new way");
        fleet.crawl("twice", definition);
        ended("twice");
        await().until(() -> fleet.get("/api/v1/crawls/twice/diff").body().path("epoch").asInt() == 2);
        assertThat(fleet.get("/api/v1/crawls/twice/diff").body().at("/changes/0/change").asText()).isEqualTo("changed");
        assertThat(fleet.get("/api/v1/crawls/twice/diff?url=" + ProbeFleet.encoded(host.url("/changing"))).body()
                .at("/items/0/fields/text/words/0").asText()).isEqualTo("The [-old-]{+new+} way");
        assertThat(fleet.get("/api/v1/crawls/twice/diff?since=x").status()).isEqualTo(400);
        JsonNode none = fleet.get("/api/v1/crawls/twice/diff?since=2100-01-01T08:00Z").body();
        assertThat(none.path("changes")).isEmpty();
        assertThat(none.path("since").asInt()).isEqualTo(2);
        assertThat(fleet.get("/api/v1/crawls/none/diff").status()).isEqualTo(404);
    }

    @Test
    void theItemsOfASinkAreDownloadedAlsoIfTheyAreCompressedOrNoJson() throws Exception {
        fleet.crawl("sinks",
                Map.of("seeds", List.of(Map.of("url", host.url("/a"))), "fetch", Map.of("delay", "0ms"), "sinks",
                        List.of(Map.of("type", "csv", "types", List.of("page"), "fields", List.of("url", "title")),
                                Map.of("type", "jsonl", "name", "all", "compress", "gzip"))));
        ended("sinks");
        String row = "{\"url\":\"" + host.url("/a") + "\",\"title\":\"A\"}\n";
        assertThat(fleet.text("/api/v1/crawls/sinks/items.jsonl")).isEqualTo(row);
        assertThat(fleet.text("/api/v1/crawls/sinks/items.jsonl?sink=all").lines()).hasSize(1)
                .allMatch(line -> line.startsWith("{\"id\":"));
        assertThat(fleet.get("/api/v1/crawls/sinks/items.jsonl?sink=other").status()).isEqualTo(400);
    }

    @Test
    void theTableOfHostsHasEveryHostWithItsAnswersAndErrors() throws Exception {
        JsonNode table = fleet.get("/api/v1/hosts?crawl=docs&sort=errors").body();
        assertThat(table.path("hosts")).hasSize(1);
        JsonNode row = table.path("hosts").get(0);
        assertThat(row.path("answered").asLong()).isEqualTo(5);
        assertThat(row.path("errors").asLong()).isEqualTo(3);
        assertThat(row.path("waiting").asLong()).isZero();
        assertThat(row.path("mid").asText()).isEqualTo(fleet.downloader.mid().toString());
        assertThat(fleet.get("/api/v1/hosts?q=no-such-host").body().path("matching").asLong()).isZero();
    }

    @Test
    void everyProcessShowsItsLogAndItsMemory() throws Exception {
        for (JsonNode module : fleet.get("/api/v1/modules").body()) {
            String at = "/api/v1/modules/" + ProbeFleet.encoded(module.path("mid").asText());
            Answer log = fleet.get(at + "/logs");
            assertThat(log.status()).as(log.body().toString()).isEqualTo(200);
            assertThat(fleet.get(at + "/summary").body().at("/extra/heap/used").asLong()).isPositive();
        }
    }

    @Test
    void whatFailedIsFetchedAgainInACrawlOfItsOwn() throws Exception {
        host.page("/gone", "<title>Back</title><a href=/a>a</a><a href=/new>n</a><a href=/moved>m</a>")
                .redirect("/moved", "/a").page("/new", "<title>New</title><a href=/too-deep>d</a>")
                .page("/too-deep", "<title>Too deep</title>");
        Answer retry = fleet.post("/api/v1/crawls/docs/retry?kind=404", Map.of());
        assertThat(retry.status()).as(retry.body().toString()).isEqualTo(201);
        String first = retry.body().path("crawl").asText();
        assertThat(first).startsWith("docs-retry-");
        assertThat(retry.body().path("urls").asLong()).isOne();
        ended(first);
        assertThat(urls(fleet.get("/api/v1/crawls/" + first + "/items").body()))
                .as("as deep as the first crawl may go, without what it has stored")
                .containsExactly(host.url("/gone"), host.url("/new"));
        assertThat(fleet.get("/api/v1/crawls/" + first + "/items?url=" + ProbeFleet.encoded("/new")).body()
                .at("/items/0/item/depth").asInt()).isEqualTo(2);
        assertThat(fleet.post("/api/v1/crawls/docs/retry?kind=TIMEOUT", Map.of()).status()).isEqualTo(409);
        String second = fleet.post("/api/v1/crawls/docs/retry", Map.of()).body().path("crawl").asText();
        assertThat(second).startsWith("docs-retry-").isNotEqualTo(first);
        ended(second);
    }

    @Test
    void aPostThatFailedIsExplainedByItsMethodAndBodyAndSentAgainWithThem() throws Exception {
        String form = "/api/v1/explain?crawl=docs&url=" + ProbeFleet.encoded(host.url("/form"));
        JsonNode post = fleet.get(form + "&method=POST&body=" + ProbeFleet.encoded("q=1")).body();
        assertThat(post.path("state").asText()).as(post.toString()).isEqualTo("ANSWERED");
        assertThat(post.path("story").toString()).contains("The request is a POST with a body.", "HTTP_ERROR 410");
        assertThat(fleet.get(form).body().path("state").asText()).as("the same URL by GET").isEqualTo("UNKNOWN");
        assertThat(fleet.get(form + "&method=TRACE").status()).isEqualTo(400);

        BlockingQueue<String> sent = new LinkedBlockingQueue<>();
        host.route("/form", exchange -> {
            sent.add(exchange.getRequestMethod() + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            Behaviours.page("<title>Form</title>").answer(exchange);
        });
        Answer retry = fleet.post("/api/v1/crawls/docs/retry?kind=410", Map.of());
        assertThat(retry.status()).as(retry.body().toString()).isEqualTo(201);
        assertThat(retry.body().path("urls").asLong()).isOne();
        assertThat(sent.poll(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo("POST q=1");
        ended(retry.body().path("crawl").asText());
    }

    @Test
    void theHistoryOfACrawlIsThatOfTheLedger() throws Exception {
        await().until(() -> pages() == 2);
    }

    /** A minute is in the history when it is over. */
    private static long pages() throws Exception {
        JsonNode points = fleet.get("/api/v1/history?crawl=docs&minutes=30").body().path("points");
        return Math.round(StreamSupport.stream(points.spliterator(), false)
                .mapToDouble(point -> point.path("pages").asDouble() * 60).sum());
    }
}
