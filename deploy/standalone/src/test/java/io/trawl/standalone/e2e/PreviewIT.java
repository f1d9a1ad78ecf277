package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.api.Counts;
import io.trawl.coordinator.topic.RequestOwnerLookup;
import io.trawl.channel.TopicNames;
import io.trawl.channel.offset.TopicOffsets;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.coordinator.probe.DownloaderCalls;
import io.trawl.coordinator.call.DirectCaller;
import io.trawl.coordinator.call.ModuleCalls;
import io.trawl.http.CallSignature;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.module.Registrar;
import io.trawl.module.Registration;
import io.trawl.module.StageState.Phase;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisModuleStore;
import io.trawl.testkit.Behaviours;
import io.trawl.testkit.FakeHost;
import io.trawl.time.Time;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Previews by a coordinator and real workers. */
class PreviewIT {
    private static final String TOKEN = "a-token-that-may-write";
    private static ProbeFleet fleet;

    @BeforeAll
    static void start(@TempDir Path out) throws InterruptedException {
        fleet = new ProbeFleet(6, out.resolve("pages"), Map.of("trawl.api.write-token", TOKEN, "trawl.allow-network",
                "127.0.0.0/29", "trawl.downloader.response-timeout", "8s"));
        fleet.web.host(0).page("/", "<title>One</title><a href='/two'>2</a><a href='/three' rel=nofollow>3</a>"
                + "<a href='http://other.example/'>o</a><a href='mailto:a@b.example'>m</a>");
    }

    @AfterAll
    static void stop() {
        fleet.close();
    }

    private static Map<String, String> verdicts(JsonNode preview) {
        return StreamSupport.stream(preview.path("links").spliterator(), false).collect(java.util.stream.Collectors
                .toMap(link -> link.path("url").asText(), link -> link.path("verdict").asText()));
    }

    /** The ends of the logs: what is trimmed meanwhile does not lower them. */
    private static Map<TopicPartition, Long> ends() throws InterruptedException {
        TopicNames names = fleet.fixture.topics();
        try (TopicOffsets offsets = new TopicOffsets(fleet.fixture.kafka().admin())) {
            return offsets.ends(List.of(names.responses(), names.ledger(), names.items(), names.requests(1, 1)));
        }
    }

    @Test
    void showsThePageItsLinksWithVerdictsAndTheItemAndWritesNothing() throws Exception {
        FakeHost host = fleet.web.host(0);
        Map<TopicPartition, Long> before = ends();
        long called = fleet.downloader.summary().counts().called();
        JsonNode preview = fleet.preview(host.url("/#top")).body();
        assertThat(preview.path("url").asText()).isEqualTo(host.url("/"));
        assertThat(preview.path("downloader").asText()).isEqualTo(fleet.downloader.mid().toString());
        assertThat(preview.path("gate").asText()).isEqualTo("owner");
        assertThat(preview.path("analyzer").asText()).isEqualTo(fleet.analyzer.mid().toString());
        assertThat(preview.path("response").path("status").asInt()).isEqualTo(200);
        assertThat(preview.path("response").path("contentType").asText()).startsWith("text/html");
        assertThat(preview.path("items").path(0).path("fields").path("title").asText()).isEqualTo("One");
        assertThat(verdicts(preview)).isEqualTo(Map.of(host.url("/two"), "ADMITTED", host.url("/three"), "NOFOLLOW",
                "http://other.example/", "DOMAIN", "mailto:a@b.example", "SCHEME"));
        assertThat(ends()).isEqualTo(before);
        Counts counts = fleet.downloader.summary().counts();
        assertThat(counts.called()).isEqualTo(called + 1);
        assertThat(counts.handling()).isZero();
        assertThat(counts.accepted()).isEqualTo(counts.completed() + counts.failed());
    }

    @Test
    void followsTheDefinitionOfACrawlAndShowsWhatItKnowsAlready() throws Exception {
        FakeHost host = fleet.web.host(1);
        host.page("/", "<a href='/known'>k</a>").page("/known", "k").page("/later",
                "<a href='/known'>k</a><a href='/new'>n</a>");
        fleet.crawl("known",
                Map.of("seeds", List.of(Map.of("url", host.url("/"))), "fetch",
                        Map.of("delay", "0ms", "userAgent", "Probe/9"), "priorities",
                        List.of(Map.of("match", "/new", "priority", 2)), "process",
                        Map.of("processors", List.of(Map.of("set", Map.of("source", "docs")),
                                Map.of("require", "item.url.endsWith('/later')")))));
        await().until(() -> fleet.get("/api/v1/crawls/known").body().path("state").asText().equals("STOPPED"));
        Map<TopicPartition, Long> before = ends();
        JsonNode preview = fleet.post("/api/v1/preview", Map.of("url", host.url("/later"), "crawl", "known")).body();
        assertThat(verdicts(preview)).isEqualTo(Map.of(host.url("/known"), "SEEN", host.url("/new"), "ADMITTED"));
        assertThat(preview.at("/links/1/priorityRule").asText()).isEqualTo("/new (2)");
        assertThat(preview.at("/items/0/fields/source").asText()).isEqualTo("docs");
        assertThat(fleet.web.visits(host).getLast().userAgent()).isEqualTo("Probe/9");
        Map<String, Object> asked = Map.of("page", preview.path("page").asText(), "field",
                Map.of("css", "a", "type", "url"));
        JsonNode taken = fleet.post("/api/v1/preview/values", asked).body();
        assertThat(taken.path("values").valueStream().map(JsonNode::asText)).containsExactly(host.url("/known"),
                host.url("/new"));
        assertThat(fleet.post("/api/v1/preview/values", Map.of("page", "0", "field", "a")).status()).isEqualTo(400);
        assertThat(fleet.web.count(host.url("/later"))).isOne();
        JsonNode dropped = fleet.post("/api/v1/preview", Map.of("url", host.url("/"), "crawl", "known")).body();
        assertThat(dropped.path("items")).isEmpty();
        assertThat(dropped.at("/dropped/0").asText()).contains("item.url.endsWith('/later')");
        assertThat(ends()).isEqualTo(before);
        assertThat(fleet.post("/api/v1/preview", Map.of("url", host.url("/"), "crawl", "unknown")).status())
                .isEqualTo(404);
    }

    @Test
    void doesNotFetchAPageThatRobotsTxtForbids() throws Exception {
        FakeHost host = fleet.web.host(2).robots("User-agent: *\nDisallow: /secret").page("/secret", "s");
        JsonNode response = fleet.preview(host.url("/secret")).body().path("response");
        assertThat(response.path("outcome").asText()).isEqualTo("REFUSED");
        assertThat(response.path("failure").asText()).startsWith("ROBOTS: ");
        assertThat(fleet.web.count(host.url("/secret"))).isZero();
    }

    @Test
    void neverReachesAnAddressThatTheOperatorHasNotAllowed() throws Exception {
        JsonNode response = fleet.preview("http://127.0.0.77:9/").body().path("response");
        assertThat(response.path("outcome").asText()).isEqualTo("REFUSED");
        assertThat(response.path("failure").asText()).startsWith("ADDRESS: ");
    }

    @Test
    void reportsAHangingHostInTime() throws Exception {
        FakeHost host = fleet.web.host(3).route("/robots.txt", Behaviours.notFound()).route("/",
                Behaviours.slow(new CountDownLatch(1), Behaviours.notFound()));
        JsonNode response = fleet.post("/api/v1/preview", Map.of("url", host.url("/"), "timeout", "3s")).body()
                .path("response");
        assertThat(response.path("outcome").asText()).isEqualTo("FAILURE");
        assertThat(response.path("failure").asText()).startsWith("TIMEOUT: ");
    }

    @Test
    void keepsTheDistanceToTheRequestsOfACrawl() throws Exception {
        FakeHost host = fleet.web.host(4);
        StringBuilder links = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            host.page("/" + i, "page " + i);
            links.append("<a href='/").append(i).append("'>p</a>");
        }
        host.page("/", links.toString()).page("/extra", "extra");
        fleet.crawl("slow", Map.of("seeds", List.of(Map.of("url", host.url("/"))), "fetch", Map.of("delay", "700ms")));
        await().until(() -> fleet.web.visits(host).size() >= 4);
        JsonNode preview = fleet.post("/api/v1/preview", Map.of("url", host.url("/extra"), "crawl", "slow")).body();
        assertThat(preview.path("response").path("status").asInt()).isEqualTo(200);
        await().until(() -> fleet.get("/api/v1/crawls/slow").body().path("state").asText().equals("STOPPED"));
        assertThat(fleet.web.shortestGap(host)).isGreaterThan(Duration.ofMillis(690).toNanos());
        assertThat(fleet.get("/api/v1/crawls/slow").body().path("totals").path("pages").asInt()).isEqualTo(9);
    }

    @Test
    void refusesAHostWhosePauseIsLongerThanTheTimeout() throws Exception {
        FakeHost host = fleet.web.host(5).robots("User-agent: *\nCrawl-delay: 120").page("/", "p");
        ProbeFleet.Answer answer = fleet.post("/api/v1/preview", Map.of("url", host.url("/"), "timeout", "30s"));
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body().path("type").asText()).endsWith("host-busy");
        assertThat(answer.body().path("detail").asText()).contains("must be left alone");
        assertThat(fleet.web.count(host.url("/"))).isZero();
    }

    @Test
    void refusesUrlsWithAnotherScheme() throws Exception {
        ProbeFleet.Answer answer = fleet.preview("ftp://a.example/");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().path("faults").path(0).path("field").asText()).isEqualTo("url");
    }

    @Test
    void asksTheNextWorkerIfOneDoesNotAnswer() throws Exception {
        String host = fleet.web.host(0).name();
        try (RedisModuleStore redis = RedisModuleStore.connect(RedisServers.of(fleet.fixture.settings().redis()),
                fleet.fixture.topics().namespace(), Time.system());
                Admin admin = fleet.fixture.kafka().admin();
                DirectCaller caller = new DirectCaller(Optional.of(CallSignature.by(TOKEN)), Time.system(), 1 << 20)) {
            Registrar registrar = redis.registrar();
            dead(registrar, ModuleKind.DOWNLOADER);
            dead(registrar, ModuleKind.ANALYZER);
            assertThat(fleet.preview(fleet.web.host(0).url("/")).body().path("analyzer").asText())
                    .isEqualTo(fleet.analyzer.mid().toString());
            // The host has no known owner, so the coordinator asks the least loaded downloader, which is dead.
            DownloaderCalls downloaderCalls = new DownloaderCalls(
                    new ModuleCalls(caller, registrar, new RequestOwnerLookup(admin, new TopicNames("unused."))));
            dead(registrar, ModuleKind.DOWNLOADER);
            DownloaderCalls.Fetched fetched = downloaderCalls.fetch(
                    RequestBuilder.builder().id(new RequestId(1)).run(new CrawlRun(new CrawlId("x"), 1))
                            .url("http://" + host + "/").host(new HostKey(host)).seed(true).build(),
                    Json.read("{}".getBytes(java.nio.charset.StandardCharsets.UTF_8), CrawlDefinition.class),
                    Optional.empty(), Duration.ofSeconds(20));
            assertThat(fetched.by()).isEqualTo(fleet.downloader.mid());
            assertThat(fetched.owner()).isFalse();
            assertThat(fetched.response().outcome()).isInstanceOf(Outcome.Success.class);
        }
    }

    private static void dead(Registrar registrar, ModuleKind kind) throws IOException {
        try (ServerSocket closed = new ServerSocket(0)) {
            MID mid = new MID(kind, 999, "127.0.0.1", closed.getLocalPort());
            registrar.register(
                    new Registration(mid, -1, new Counts(0, 0, 0, 0, 0, 0), Instant.now(), Map.of(), Phase.RUNNING),
                    Duration.ofSeconds(30));
        }
    }

    @Test
    void workersRefuseCallsWithoutTheToken() throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            for (String token : List.of("", "Bearer an-unknown-token")) {
                HttpRequest.Builder request = HttpRequest
                        .newBuilder(URI.create("http://" + fleet.downloader.mid().address() + "/download"))
                        .header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString("{}"));
                if (!token.isEmpty()) {
                    request.header("Authorization", token);
                }
                assertThat(http.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode())
                        .isEqualTo(401);
            }
        }
        byte[] nothing = "{}".getBytes(java.nio.charset.StandardCharsets.UTF_8);
        assertThat(fleet.ask(fleet.downloader, "POST", "/download", "application/json", nothing).status())
                .isEqualTo(400);
        assertThat(fleet.ask(fleet.downloader, "POST", "/download", "text/plain", nothing).status()).isEqualTo(415);
        assertThat(fleet.ask(fleet.downloader, "GET", "/download", "application/json", nothing).status())
                .isEqualTo(405);
        assertThat(
                fleet.ask(fleet.downloader, "POST", "/download", "application/json", new byte[(1 << 20) + 1]).status())
                .isEqualTo(413);
    }
}
