package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.coordinator.summary.Totals;
import io.trawl.testkit.Behaviours;
import io.trawl.testkit.FakeHost;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Explanations of URLs in every state, by a coordinator and real workers. */
class ExplainIT {
    @TempDir
    private static Path folder;
    private static ProbeFleet fleet;

    @BeforeAll
    static void start() throws InterruptedException {
        fleet = new ProbeFleet(10, folder.resolve("pages"),
                Map.of("trawl.topics.trim-interval", "1h", "trawl.downloader.give-up-failures", "2",
                        "trawl.downloader.give-up-pause", "5m", "trawl.downloader.longest-pause", "10m"));
    }

    @AfterAll
    static void stop() {
        fleet.close();
    }

    private static ConditionFactory soon() {
        return await().pollInterval(Duration.ofMillis(200));
    }

    private static JsonNode url(String url) throws IOException, InterruptedException {
        ProbeFleet.Answer answer = fleet.get("/api/v1/explain?url=" + ProbeFleet.encoded(url));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body();
    }

    private static String state(JsonNode explanation) {
        return explanation.path("state").asText();
    }

    private static String why(JsonNode explanation) {
        return explanation.path("waiting").path("why").asText();
    }

    private static String story(JsonNode explanation) {
        return explanation.path("story").toString();
    }

    private static void crawl(String id, FakeHost host, String delay, String... paths)
            throws IOException, InterruptedException {
        fleet.crawl(id, Map.of("seeds", Stream.of(paths).map(p -> Map.of("url", host.url(p))).toList(), "fetch",
                Map.of("delay", delay)));
    }

    @Test
    void aMissingPageStaysMissingWhenItsResponseIsDeleted() throws Exception {
        FakeHost host = fleet.web.host(8).route("/", Behaviours.notFound());
        crawl("gone", host, "0ms", "/");
        soon().until(() -> fleet.get("/api/v1/crawls/gone").body().path("state").asText().equals("STOPPED"));
        String responses = fleet.fixture.topics().responses();
        try (Admin admin = fleet.fixture.kafka().admin()) {
            Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
            admin.describeTopics(List.of(responses)).allTopicNames().get()
                    .forEach((topic, description) -> description.partitions().forEach(
                            p -> all.put(new TopicPartition(topic, p.partition()), RecordsToDelete.beforeOffset(-1))));
            admin.deleteRecords(all).all().get();
        }
        JsonNode explained = url(host.url("/"));
        assertThat(state(explained)).isEqualTo("ANSWERED");
        assertThat(explained.path("answered").path("outcome").asText()).isEqualTo("HTTP_ERROR");
        assertThat(explained.path("answered").path("detail").asText()).isEqualTo("404");
        assertThat(story(explained)).contains(": HTTP_ERROR 404", "was deleted after the analysis");
    }

    @Test
    void anAnsweredUrlHasItsItemByWhichItIsFoundAndOthersAreUnknownOrRefused() throws Exception {
        FakeHost host = fleet.web.host(0).page("/", "<title>t</title>");
        crawl("done", host, "0ms", "/");
        soon().until(() -> fleet.get("/api/v1/crawls/done").body().path("state").asText().equals("STOPPED"));
        JsonNode page = url(host.url("/#part"));
        assertThat(state(page)).isEqualTo("ANSWERED");
        assertThat(page.path("normal").asText()).isEqualTo(host.url("/"));
        assertThat(page.path("verdict").asText()).isEqualTo("ADMITTED");
        assertThat(page.path("known").path("answered").asBoolean()).isTrue();
        assertThat(story(page)).contains("DUPLICATE").contains("answered");
        assertThat(stored()).contains(page.path("item").path("id").asText());
        JsonNode unknown = url(host.url("/nowhere"));
        assertThat(state(unknown)).isEqualTo("UNKNOWN");
        assertThat(story(unknown)).contains("It is not requested");
        JsonNode refused = fleet
                .get("/api/v1/explain?crawl=done&url=" + ProbeFleet.encoded("http://elsewhere.example/")).body();
        assertThat(state(refused)).isEqualTo("REFUSED");
        assertThat(refused.path("verdict").asText()).isEqualTo("DOMAIN");
        assertThat(url("mailto:a@b.example").path("verdict").asText()).isEqualTo("SCHEME");
        assertThat(fleet.get("/api/v1/explain?crawl=unknown&url=" + ProbeFleet.encoded(host.url("/"))).status())
                .isEqualTo(404);
        assertThat(fleet.get("/api/v1/explain?url=" + ProbeFleet.encoded("http://elsewhere.example/")).status())
                .isEqualTo(400);
        assertThat(fleet.get("/api/v1/explain").status()).isEqualTo(400);
    }

    @Test
    void aSitemapThatWasReadInPartHasThatInTheTotalsAndInItsExplanation() throws Exception {
        FakeHost host = fleet.web.host(7).page("/a", "a").page("/map.xml",
                "<urlset><url><loc>/a</loc></url><url><loc>/b</url><url><loc>/&#0;</loc></url></urlset>");
        fleet.crawl("damaged", Map.of("seeds", List.of(Map.of("url", host.url("/map.xml"), "parser", "sitemap")),
                "fetch", Map.of("delay", "0ms")));
        soon().until(() -> fleet.get("/api/v1/crawls/damaged").body().path("state").asText().equals("STOPPED"));
        JsonNode totals = fleet.get("/api/v1/crawls/damaged").body().path("totals");
        assertThat(totals.path("entriesNotTaken").asInt()).isEqualTo(2);
        assertThat(totals.path("sources").asInt()).isEqualTo(1);
        assertThat(totals.path("pages").asInt()).isEqualTo(1);
        soon().untilAsserted(() -> assertThat(story(url(host.url("/map.xml")))).contains("it has no item")
                .contains("2 entries are damaged"));
    }

    @Test
    void aRequisiteIsExplainedAsOne() throws Exception {
        FakeHost host = fleet.web.host(7).page("/pictured", "<img src=/picture.png>").route("/picture.png",
                io.trawl.testkit.Behaviours.bytes("image/png", new byte[]{1}));
        fleet.crawl("pictured", Map.of("seeds", List.of(Map.of("url", host.url("/pictured"))), "fetch",
                Map.of("delay", "0ms"), "discover", Map.of("requisites", List.of("image"))));
        soon().until(() -> fleet.get("/api/v1/crawls/pictured").body().path("state").asText().equals("STOPPED"));
        assertThat(fleet.get("/api/v1/crawls/pictured").body().path("totals").path("requisites").asInt()).isEqualTo(1);
        JsonNode picture = fleet
                .get("/api/v1/explain?crawl=pictured&url=" + ProbeFleet.encoded(host.url("/picture.png"))).body();
        assertThat(picture.path("verdict").asText()).isEqualTo("ADMITTED");
        assertThat(state(picture)).isEqualTo("ANSWERED");
        assertThat(story(picture)).contains("as a requisite").contains("It has no item");
    }

    @Test
    void aPageInAnotherLanguageIsRefusedCountedAndExplainedAndItsLinksAreFollowed() throws Exception {
        String german = "<p>Die Flut kommt zweimal am Tag, und die Boote schwimmen wieder vor dem Abend.</p>";
        String english = "<p>The tide turns twice a day, and the boats float again before the evening.</p>";
        FakeHost host = fleet.web.host(9).page("/", german + "<a href=/en>e</a>")
                .page("/en", english + "<a href=/de>d</a>").page("/de", german);
        fleet.crawl("english", Map.of("seeds", List.of(Map.of("url", host.url("/"))), "scope",
                Map.of("languages", List.of("en")), "fetch", Map.of("delay", "0ms")));
        soon().until(() -> fleet.get("/api/v1/crawls/english").body().path("state").asText().equals("STOPPED"));
        JsonNode crawl = fleet.get("/api/v1/crawls/english").body();
        Totals totals = Json.mapper().treeToValue(crawl.path("totals"), Totals.class);
        assertThat(totals.pages()).isEqualTo(1);
        assertThat(totals.refused()).isEqualTo(2);
        assertThat(totals.items().written()).isEqualTo(1);
        GraphChecks.conserved(totals);
        assertThat(crawl.at("/refusals/LANGUAGE").asInt()).isEqualTo(2);
        assertThat(crawl.path("refusalsByRule").path("scope.languages").asInt()).isEqualTo(2);
        assertThat(story(url(host.url("/de")))).contains("in none of scope.languages [en]", "LANGUAGE");
        assertThat(fleet.post("/api/v1/preview", Map.of("url", host.url("/de"), "crawl", "english")).body()
                .path("errors").toString()).contains(
                        "the page is not stored: its text is in the language de, which is none of scope.languages [en]");
        assertThat(stored()).contains(host.url("/en")).doesNotContain("\"url\":\"" + host.url("/de") + "\"");
    }

    private static String stored() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(f -> f.toString().endsWith(".jsonl")).map(f -> {
                try {
                    return Files.readString(f);
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            }).reduce("", String::concat);
        }
    }

    @Test
    void theNextOfAHostWaitsForItsPauseAndTheOthersForThoseBeforeThem() throws Exception {
        FakeHost host = fleet.web.host(1).page("/1", "1").page("/2", "2").page("/3", "3");
        crawl("slow", host, "9m", "/1", "/2", "/3");
        soon().until(() -> why(url(host.url("/1"))).equals("DELAY"));
        JsonNode first = url(host.url("/1"));
        assertThat(state(first)).isEqualTo("WAITING");
        assertThat(Instant.parse(first.path("waiting").path("until").asText())).isAfter(Instant.now().plusSeconds(60));
        assertThat(first.path("waiting").path("where").asText()).contains(".p1").contains("offset");
        assertThat(first.path("waiting").has("since")).isTrue();
        soon().until(() -> why(url(host.url("/3"))).equals("QUEUE"));
        JsonNode asked = fleet.get("/api/v1/explain?host=" + host.name()).body();
        assertThat(state(asked)).isEqualTo("WAITING");
        assertThat(asked.path("queue").path("pending").path("1").asInt()).isEqualTo(3);
        assertThat(story(asked)).contains("3 requests wait there").contains("pause of 9 min");
        fleet.ask(fleet.coordinator, "POST", "/api/v1/stop-sign", "application/json", new byte[0]);
        soon().until(() -> why(url(host.url("/1"))).equals("STOP_SIGN"));
        fleet.ask(fleet.coordinator, "DELETE", "/api/v1/stop-sign", "application/json", new byte[0]);
        soon().until(() -> why(url(host.url("/1"))).equals("DELAY"));
        fleet.ask(fleet.coordinator, "POST", "/api/v1/crawls/slow/stop", "application/json", new byte[0]);
        soon().until(() -> why(url(host.url("/2"))).equals("CRAWL_STOPPED"));
    }

    @Test
    void whileTheRequestTopicsAreReplacedARequestIsFoundWhereverItIsAndItsHostKeepsItsPause() throws Exception {
        FakeHost host = fleet.web.host(6).page("/1", "1").page("/2", "2");
        crawl("forwarded", host, "9m", "/1", "/2");
        soon().until(() -> why(url(host.url("/1"))).equals("DELAY"));
        JsonNode before = url(host.url("/1")).path("waiting");
        assertThat(before.path("where").asText()).contains("requests.g1.p1");
        assertThat(fleet.post("/api/v1/queue/resize", Map.of("partitions", 5)).status()).isEqualTo(202);
        Set<String> reasons = new TreeSet<>();
        await().pollInterval(Duration.ofMillis(10)).until(() -> {
            JsonNode now = url(host.url("/1"));
            assertThat(state(now)).as(now.toString()).isEqualTo("WAITING");
            reasons.add(why(now));
            return now.path("waiting").path("where").asText().contains("requests.g2.p1") && why(now).equals("DELAY");
        });
        System.out.println("while the request topics were replaced: " + reasons);
        assertThat(Instant.parse(url(host.url("/1")).path("waiting").path("until").asText()))
                .isCloseTo(Instant.parse(before.path("until").asText()), within(30, ChronoUnit.SECONDS));
        assertThat(fleet.web.visits(host)).as("robots.txt only").hasSize(1);
    }

    @Test
    void aRequestThatAServerDefersIsRetriedLater() throws Exception {
        FakeHost host = fleet.web.host(2).route("/",
                Behaviours.tooManyRequests(9, Duration.ofMinutes(2), Behaviours.notFound()));
        crawl("busy", host, "0ms", "/");
        soon().until(() -> why(url(host.url("/"))).equals("BACK_OFF"));
        JsonNode late = url(host.url("/"));
        assertThat(story(late)).contains("It has failed once (429)");
        assertThat(Instant.parse(late.path("waiting").path("until").asText())).isAfter(Instant.now().plusSeconds(30));
    }

    @Test
    void aHostThatDoesNotAnswerIsClosed() throws Exception {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.99"))) {
            port = closed.getLocalPort();
        }
        String dead = "http://127.0.0.99:" + port + "/";
        fleet.crawl("dead", Map.of("seeds", List.of(Map.of("url", dead)), "fetch", Map.of("delay", "0ms")));
        soon().until(() -> why(url(dead)).equals("HOST_CLOSED"));
        assertThat(story(url(dead))).contains("has not answered 2 times in a row");
        assertThat(why(fleet.get("/api/v1/explain?host=127.0.0.99:" + port).body())).isEqualTo("HOST_CLOSED");
    }

    @Test
    void aHostWhoseAddressIsRefusedIsToldWithTheRuleAndTheSetting() throws Exception {
        fleet.crawl("private", Map.of("seeds", List.of(Map.of("url", "http://10.0.0.1/"))));
        soon().until(() -> fleet.get("/api/v1/crawls/private").body().path("state").asText().equals("STOPPED"));
        assertThat(story(fleet.get("/api/v1/explain?crawl=private&host=10.0.0.1").body()))
                .contains("Its address is refused", "10.0.0.1 is a private address", "TRAWL_ALLOW_NETWORK")
                .doesNotContain("unreachable");
        assertThat(story(url("http://10.0.0.1/"))).contains("10.0.0.1 is a private address");
    }

    @Test
    void aUrlInFlightIsNamedWithItsDownloader() throws Exception {
        CountDownLatch answers = new CountDownLatch(1);
        FakeHost host = fleet.web.host(3).route("/", Behaviours.slow(answers, Behaviours.page("late")));
        crawl("hanging", host, "0ms", "/");
        soon().until(() -> state(url(host.url("/"))).equals("IN_FLIGHT")
                && story(url(host.url("/"))).contains("fetches it now"));
        assertThat(url(host.url("/")).path("inFlight").path("mid").asText())
                .isEqualTo(fleet.downloader.mid().toString());
        assertThat(state(fleet.get("/api/v1/explain?host=" + host.name()).body())).isEqualTo("IN_FLIGHT");
        answers.countDown();
        soon().until(() -> state(url(host.url("/"))).equals("ANSWERED"));
    }

    @Test
    void aNarrowerScopeRefusesWhatWaitsAsTheDryRunSaidAndAWiderOneDoesNotBringItBack() throws Exception {
        CountDownLatch narrowed = new CountDownLatch(1);
        CountDownLatch widened = new CountDownLatch(1);
        List<String> wanted = IntStream.rangeClosed(1, 30).mapToObj(i -> "/b/" + i).toList();
        FakeHost host = fleet.web.host(4).page("/mid", links(List.of("/b/50")))
                .route("/hold", Behaviours.slow(narrowed, Behaviours.page("held")))
                .route("/gate", Behaviours.slow(widened, Behaviours.page(links(List.of("/b/1", "/b/50", "/b/60")))))
                .page("/last", "l");
        host.page("/", links(
                Stream.of(List.of("/hold"), wanted, List.of("/mid", "/gate", "/last")).flatMap(List::stream).toList()));
        IntStream.of(1, 50, 60).forEach(i -> host.page("/b/" + i, "b"));
        crawl("changing", host, "0ms", "/");
        await().until(() -> totals("changing").path("waiting").asInt() == 34);

        JsonNode narrower = scope("?dryRun=true", List.of("/b/**"));
        assertThat(narrower.path("waiting")).isEqualTo(Json.mapper().readTree("""
                {"waiting": 34, "lookedAt": 34, "refused": 30, "byRule": {"scope.exclude: /b/**": 30}}"""));
        assertThat(narrower.path("notes").toString()).contains("That is final for this run");
        scope("", List.of("/b/**"));
        awaitKnown("narrowed");
        narrowed.countDown();
        soon().until(() -> visited(host).contains("/gate") && totals("changing").path("waiting").asInt() == 2);
        JsonNode refusing = fleet.get("/api/v1/crawls/changing").body();
        assertThat(refusing.at("/totals/refused").asInt()).as("as many as the dry run said").isEqualTo(30);
        assertThat(refusing.at("/refusals/EXCLUDED").asInt()).as("and one link").isEqualTo(31);
        assertThat(refusing.path("refusalsByRule").path("scope.exclude: /b/**").asInt()).isEqualTo(31);

        JsonNode wider = scope("?dryRun=true", List.of());
        assertThat(wider.path("waiting").path("refused").asInt()).isZero();
        assertThat(wider.path("notes").toString()).contains("does not bring back links");
        scope("", List.of());
        awaitKnown("widened");
        widened.countDown();
        soon().until(() -> fleet.get("/api/v1/crawls/changing").body().path("state").asText().equals("STOPPED"));
        assertThat(visited(host)).as("/b/1 was refused for good, and the links of /gate came after the change")
                .containsExactly("/", "/hold", "/mid", "/gate", "/last", "/b/50", "/b/60");
        assertThat(story(url(host.url("/b/1")))).contains("REFUSED", "scope.exclude: /b/**");
        GraphChecks.conserved(Json.mapper().treeToValue(totals("changing"), Totals.class));
    }

    private static String links(List<String> paths) {
        return paths.stream().map(path -> "<a href=" + path + ">l</a>").collect(Collectors.joining());
    }

    private static JsonNode totals(String crawl) throws IOException, InterruptedException {
        return fleet.get("/api/v1/crawls/" + crawl).body().path("totals");
    }

    /** The paths that were asked for, in their order, but for robots.txt. */
    private static List<String> visited(FakeHost host) {
        return fleet.web.visits(host).stream().map(visit -> URI.create(visit.url()).getPath())
                .filter(path -> !path.equals("/robots.txt")).toList();
    }

    private static JsonNode scope(String query, List<String> exclude) throws IOException, InterruptedException {
        ProbeFleet.Answer answer = fleet.ask(fleet.coordinator, "PATCH", "/api/v1/crawls/changing" + query,
                "application/merge-patch+json", Json.bytes(Map.of("scope", Map.of("exclude", exclude))));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body();
    }

    /**
     * All processes read the topic of definitions in its order: who has crawled a later one knows what was changed
     * before.
     */
    private static void awaitKnown(String later) throws IOException, InterruptedException {
        crawl(later, fleet.web.host(5).page("/", "later"), "0ms", "/");
        soon().until(() -> fleet.get("/api/v1/crawls/" + later).body().path("state").asText().equals("STOPPED"));
    }
}
