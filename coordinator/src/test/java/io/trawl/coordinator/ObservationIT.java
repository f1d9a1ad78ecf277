package io.trawl.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Codec;
import io.trawl.codec.Json;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlerError;
import io.trawl.model.MID;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.Request;
import io.trawl.worker.Worker;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Errors, rates, history and events of a deployment. The test acts for the other stages. */
class ObservationIT {
    private final Fleet fleet = new Fleet();

    @AfterEach
    void stop() {
        fleet.close();
    }

    @Test
    void errorsAreListedNewestFirstByCrawlKindAndHostAndPageByPage() throws Exception {
        Worker coordinator = fleet.leader();
        report(error("docs", "https://a.example.org/1", "HTTP_ERROR", 'D'),
                error("docs", "http://b.example.org:8080/2", "TIMEOUT", 'D'),
                error("other", "https://a.example.org/3", "PARSE", 'A'));
        fleet.kafka.produce(fleet.kafka.topics().errors(), List.of("{nonsense", "{}"));
        await().untilAsserted(
                () -> assertThat(kinds(coordinator, "")).containsExactly("PARSE", "TIMEOUT", "HTTP_ERROR"));
        assertThat(kinds(coordinator, "?crawl=docs")).containsExactly("TIMEOUT", "HTTP_ERROR");
        assertThat(kinds(coordinator, "?host=A.example.org")).containsExactly("PARSE", "HTTP_ERROR");
        assertThat(kinds(coordinator, "?host=b.example.org:8080")).containsExactly("TIMEOUT");
        assertThat(kinds(coordinator, "?kind=analyzer")).containsExactly("PARSE");
        assertThat(kinds(coordinator, "?kind=FAILURE&crawl=docs")).containsExactly("TIMEOUT");
        assertThat(kinds(coordinator, "?kind=HTTP_ERROR&host=b.example.org")).isEmpty();
        JsonNode newest = Json.mapper().readTree(fleet.ask(coordinator, "GET", "/api/v1/errors?limit=1", "").body())
                .get(0);
        assertThat(newest.path("id").asText()).isEqualTo("0:" + newest.path("offset").asLong());
        assertThat(newest.path("mid").asText()).isEqualTo("A1|127.0.0.1:9");
        assertThat(kinds(coordinator, "?limit=1&cursor=" + newest.path("id").asText())).containsExactly("TIMEOUT");
        assertThat(fleet.ask(coordinator, "GET", "/api/v1/errors?limit=0", "").status()).isEqualTo(400);
    }

    @Test
    void aCursorThatNamesNoEntryOfItsListIsRefused() throws Exception {
        Worker coordinator = fleet.leader();
        for (String id : List.of("a", "b", "c")) {
            fleet.put(coordinator, id, "", Fleet.definition("https://example.org/"));
        }
        report(error("a", "https://example.org/1", "DNS", 'D'), error("b", "https://example.org/2", "TLS", 'D'));
        await().until(() -> kinds(coordinator, "").size() == 2);
        for (String list : List.of("crawls?cursor=none", "crawls?sort=-crawl&cursor=none", "modules?cursor=b",
                "stop-signs?cursor=stop/none", "errors?cursor=none", "errors?cursor=0:900", "errors?cursor=7:0",
                "events?cursor=0:900")) {
            Fleet.Answer answer = fleet.ask(coordinator, "GET", "/api/v1/" + list, "");
            Fleet.problem(answer, 400, "\"faults\":[{\"field\":\"cursor\",\"value\":\""
                    + list.substring(list.lastIndexOf('=') + 1) + "\",\"rule\":\"");
        }
        String newest = Json.mapper().readTree(fleet.ask(coordinator, "GET", "/api/v1/errors", "").body()).get(0)
                .path("id").asText();
        assertThat(kinds(coordinator, "?crawl=a&cursor=" + newest)).as("behind one that the filter leaves out")
                .containsExactly("DNS");
        fleet.ask(coordinator, "DELETE", "/api/v1/crawls/a", "");
        assertThat(json(coordinator, "/api/v1/crawls?cursor=a")).as("behind one that is deleted meanwhile").hasSize(2);
        assertThat(fleet.ask(coordinator, "GET", "/api/v1/crawls?sort=-crawl&cursor=a", "").status()).isEqualTo(400);
        assertThat(json(coordinator, "/api/v1/crawls?sort=-crawl&state=STARTED&cursor=b")).isEmpty();
        String mid = java.net.URLEncoder.encode("A1|127.0.0.1:9", StandardCharsets.UTF_8);
        assertThat(json(coordinator, "/api/v1/modules?cursor=" + mid)).as("behind one that has ended").hasSize(1);
    }

    @Test
    void theStreamResumesAfterTheLastEventReceived() throws Exception {
        Worker coordinator = fleet.leader();
        report(error("docs", "https://example.org/1", "DNS", 'D'), error("docs", "https://example.org/2", "TLS", 'D'));
        await().until(() -> kinds(coordinator, "").size() == 2);
        String first = Json.mapper().readTree(fleet.ask(coordinator, "GET", "/api/v1/errors", "").body()).get(1)
                .path("id").asText();
        try (Stream<String> lines = follow(coordinator, "?crawl=docs", first)) {
            var seen = lines.iterator();
            assertThat(untilData(seen)).contains("\"kind\":\"TLS\"");
            report(error("other", "https://example.org/3", "PARSE", 'A'),
                    error("docs", "https://example.org/4", "TIMEOUT", 'D'));
            assertThat(untilData(seen)).contains("\"kind\":\"TIMEOUT\"");
        }
    }

    @Test
    void aClientThatReadsNothingBlocksNoOtherAndIsDisconnected() throws Exception {
        Worker coordinator = fleet.leader();
        try (Socket slow = new Socket(coordinator.mid().host(), coordinator.mid().port());
                Stream<String> quick = follow(coordinator, "", "")) {
            slow.setReceiveBufferSize(4096);
            slow.getOutputStream().write(
                    "GET /api/v1/errors/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.UTF_8));
            await().until(() -> metric(coordinator, "trawl_coordinator_streams ") == 2);
            var seen = quick.iterator();
            String cause = "x".repeat(1500);
            int sent = 0;
            while (metric(coordinator, "trawl_coordinator_streams_lost_total ") == 0) {
                CrawlerError[] some = IntStream.range(sent, sent += 200)
                        .mapToObj(i -> error("docs", "https://example.org/" + i, cause, 'D'))
                        .toArray(CrawlerError[]::new);
                report(some);
                for (int i = 0; i < some.length; i++) {
                    assertThat(untilData(seen)).contains("/" + (sent - some.length + i) + "\"");
                }
                assertThat(sent).isLessThan(100_000);
            }
            assertThat(metric(coordinator, "trawl_coordinator_streams ")).isEqualTo(1);
        }
    }

    @Test
    void theSummaryOfASchedulerHasTheSameNumbersAndNamesMissingModules() throws Exception {
        Worker coordinator = fleet.leader();
        fleet.put(coordinator, "docs", "?start=true", Fleet.definition("https://example.org/"));
        await().until(() -> fleet.crawl(coordinator, "docs").totals().waiting() == 1);
        JsonNode fleetSummary = json(coordinator, "/api/v1/summary");
        assertThat(fleetSummary.at("/missing").valueStream().map(kind -> kind.path("kind").asText()))
                .containsExactly("DOWNLOADER", "ANALYZER", "PIPELINE");
        assertThat(fleetSummary.at("/serials/COORDINATOR/next").asLong()).isEqualTo(coordinator.mid().serial() + 1);
        JsonNode one = json(coordinator, "/api/v1/summary?shape=scheduler&crawl=docs");
        assertThat(one.at("/request_args/accepted_primary_domains").toString()).isEqualTo("[\"example.org\"]");
        assertThat(one.path("status").asText()).isEqualTo("started");
        assertThat(one.path("url_number").asLong()).isEqualTo(1);
        assertThat(one.at("/stop_sign/signed").asBoolean()).isFalse();
        assertThat(one.at("/module_args/downloader_list_size").asInt()).isZero();
        assertThat(one.at("/request_buffer_pool/buffer_cap")).isEqualTo(one.at("/data_args/req_buffer_cap"))
                .isEqualTo(fleetSummary.at("/queue/levels/0/capacity"));
        assertThat(fleet.ask(coordinator, "GET", "/api/v1/summary?shape=scheduler&format=text", "").body())
                .contains("accepted_primary_domains", "example.org");
        assertThat(fleet.ask(coordinator, "GET", "/api/v1/summary?crawl=docs", "").status()).isEqualTo(400);
    }

    private JsonNode json(Worker coordinator, String path) throws Exception {
        return Json.mapper().readTree(fleet.ask(coordinator, "GET", path, "").body());
    }

    @Test
    void ratesIdleAndRemainingFollowFromTheLedgerAndAreTheSameInTheFleet() throws Exception {
        Worker coordinator = fleet.leader();
        fleet.put(coordinator, "docs", "?start=true", Fleet.definition("https://example.org/"));
        await().until(() -> fleet.requests().size() == 1);
        await().until(() -> fleet.crawl(coordinator, "docs").totals().waiting() == 1);
        assertThat(fleet.crawl(coordinator, "docs").idle()).isFalse();
        Request seed = fleet.requests().getFirst();
        Request[] found = IntStream.range(0, 50).mapToObj(i -> Fleet.found(seed, "https://example.org/" + i, 100 + i))
                .toArray(Request[]::new);
        fleet.answer(seed, OutcomeKind.PAGE, "200", found);
        await().until(() -> fleet.crawl(coordinator, "docs").totals().waiting() == 50);
        assertThat(fleet.crawl(coordinator, "docs").remaining()).as("the crawl has found more than it has fetched")
                .isEmpty();
        for (Request r : List.of(found).subList(0, 45)) {
            fleet.answer(r, r.url().endsWith("0") ? OutcomeKind.HTTP_ERROR : OutcomeKind.PAGE, "404");
        }
        await().untilAsserted(() -> {
            CrawlSummary summary = fleet.crawl(coordinator, "docs");
            assertThat(summary.rates().pages1m()).isPositive();
            assertThat(summary.rates().errors1m()).isPositive().isLessThan(summary.rates().pages1m());
            assertThat(summary.rates().bytes5m()).isGreaterThan(summary.rates().pages5m());
            JsonNode all = Json.mapper().readTree(fleet.ask(coordinator, "GET", "/api/v1/summary", "").body());
            assertThat(all.path("totals").path("bytes").asLong()).isEqualTo(460).isEqualTo(summary.totals().bytes());
            assertThat(all.path("idle").asBoolean()).isFalse();
        });
        await().untilAsserted(() -> {
            JsonNode history = Json.mapper().readTree(fleet.ask(coordinator, "GET", "/api/v1/history", "").body());
            assertThat(history.path("stepMillis").asInt()).isEqualTo(2000);
            assertThat(history.path("points")).hasSize(300);
            double pages = 0;
            boolean backlog = false;
            for (JsonNode point : history.path("points")) {
                pages += point.path("pages").asDouble() * 2;
                backlog |= point.path("backlog").has("requests.p1") && point.path("backlog").has("items");
            }
            assertThat(pages).isEqualTo(fleet.crawl(coordinator, "docs").totals().pages());
            assertThat(backlog).isTrue();
        });
        fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/stop", "");
        fleet.commitAll(fleet.kafka.topics().pipelineGroup(), fleet.kafka.topics().items(), "");
        await().until(() -> fleet.crawl(coordinator, "docs").idle());
    }

    @Test
    void eachStateChangeIsAnEventAndTheEndIsOneEvent() throws Exception {
        Worker first = fleet.leader();
        fleet.put(first, "docs", "?start=true", Fleet.definition("https://example.org/"));
        await().until(() -> fleet.requests().size() == 1);
        fleet.ask(first, "POST", "/api/v1/crawls/docs/stop", "");
        await().until(() -> types(first, "?crawl=docs").getFirst().equals("crawl.stopped"));
        first.stop(Duration.ofSeconds(5));
        Worker next = fleet.leader();
        fleet.ask(next, "POST", "/api/v1/crawls/docs/start", "");
        fleet.answer(fleet.requests().getFirst(), OutcomeKind.PAGE, "200");
        await().untilAsserted(() -> assertThat(types(next, "?crawl=docs")).containsExactly("crawl.finished",
                "crawl.started", "crawl.stopped", "crawl.stopping", "crawl.started", "crawl.initialized"));
        JsonNode end = Json.mapper().readTree(fleet.ask(next, "GET", "/api/v1/events?limit=1", "").body()).get(0);
        assertThat(end.path("totals").path("pages").asLong()).isEqualTo(1);
        assertThat(end.path("reason").asText()).isEqualTo("FINISHED");
        assertThat(types(next, "?crawl=other")).isEmpty();
    }

    private void report(CrawlerError... errors) {
        fleet.kafka.produce(fleet.kafka.topics().errors(),
                Stream.of(errors).map(e -> new String(Codec.encode(e), StandardCharsets.UTF_8)).toList());
    }

    private static CrawlerError error(String crawl, String url, String kind, char module) {
        return CrawlerError.of(MID.parse(module + "1|127.0.0.1:9"), Optional.of(new CrawlId(crawl)), Optional.of(url),
                kind, "because", 1, Instant.now());
    }

    private List<String> kinds(Worker at, String query) throws IOException, InterruptedException {
        return texts(at, "/api/v1/errors" + query, "kind");
    }

    private List<String> types(Worker at, String query) throws IOException, InterruptedException {
        return texts(at, "/api/v1/events" + query, "type");
    }

    private List<String> texts(Worker at, String path, String field) throws IOException, InterruptedException {
        List<String> texts = new ArrayList<>();
        Json.mapper().readTree(fleet.ask(at, "GET", path, "").body()).forEach(e -> texts.add(e.path(field).asText()));
        return texts;
    }

    private Stream<String> follow(Worker at, String query, String after) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest
                .newBuilder(URI.create("http://" + at.mid().address() + "/api/v1/errors/stream" + query))
                .header("Last-Event-ID", after).header("Accept", "text/event-stream").build();
        HttpResponse<Stream<String>> response = HttpClient.newHttpClient().send(request,
                HttpResponse.BodyHandlers.ofLines());
        assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("text/event-stream");
        return response.body();
    }

    private static String untilData(java.util.Iterator<String> lines) {
        while (true) {
            String line = lines.next();
            if (line.startsWith("data: ")) {
                return line;
            }
        }
    }

    private double metric(Worker at, String name) throws IOException, InterruptedException {
        return fleet.ask(at, "GET", "/metrics", "").body().lines().filter(l -> l.startsWith(name)).findFirst()
                .map(l -> Double.parseDouble(l.substring(l.lastIndexOf(' ') + 1))).orElse(0.0);
    }
}
