package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.api.CrawlSummary;
import io.trawl.model.CrawlId;
import io.trawl.standalone.CoordinatorClient;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.LinkGraph;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A stop sign for a fleet of three of each worker, every one a process of its own, one of which hangs: it is stopped, and neither deals nor dies. */
@Timeout(300)
class HungModuleIT {
    private static final CrawlId CRAWL = new CrawlId("signed");
    private static final int EACH = 3;
    private static final int DEPTH = 6;
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final List<String> WORKERS = List.of("worker-downloader", "worker-analyzer", "worker-pipeline");
    /** Long enough for all others to deal before the hung one counts as dead. */
    private static final String LEASE = "15s";
    @TempDir
    private Path folder;
    private final KafkaFixture fixture = new KafkaFixture();
    private final HttpClient http = HttpClient.newHttpClient();
    private final int port = Processes.freePort();
    private Processes processes;

    @AfterEach
    void stop() throws InterruptedException {
        processes.close();
        http.close();
    }

    @Test
    void theHungOneIsNamedTheOthersHaveDealtAndWhenItIsDeadTheTotalIsComplete() throws Exception {
        processes = new Processes(Files.createDirectories(folder.resolve("logs")));
        start("coordinator", port);
        int hungPort = Processes.freePort();
        Process hung = start("worker-downloader", hungPort);
        for (String worker : WORKERS) {
            for (int i = worker.equals("worker-downloader") ? 1 : 0; i < EACH; i++) {
                start(worker, Processes.freePort());
            }
        }
        try (FakeWeb web = FakeWeb.start(8);
                CoordinatorClient client = new CoordinatorClient(URI.create("http://127.0.0.1:" + port))) {
            LinkGraph graph = LinkGraph.serve(web, 300, 4, 11);
            await().atMost(PATIENCE).ignoreExceptionsInstanceOf(IOException.class)
                    .until(() -> ask("GET", "/api/modules").size() == 1 + EACH * WORKERS.size());
            client.define(CRAWL, definition(graph), false);
            await().atMost(PATIENCE).until(() -> crawl(client).totals().pages() > 20);

            signal(hung, "STOP");
            assertThat(ask("POST", "/api/stop-sign").path("first").asBoolean()).isTrue();
            await().atMost(PATIENCE).until(() -> names(sign().path("waiting")).size() == 1);
            JsonNode waiting = sign();
            assertThat(names(waiting.path("waiting"))).singleElement().asString().startsWith("D").endsWith(":" + hungPort);
            assertThat(waiting.path("dealTotal").asInt()).isEqualTo(EACH * WORKERS.size());
            assertThat(waiting.path("complete").asBoolean()).isFalse();
            int visits = web.visits().size();
            assertThat(crawl(client).totals().waiting()).as("there is something left to fetch").isPositive();

            await().atMost(PATIENCE).until(() -> sign().path("complete").asBoolean());
            assertThat(names(sign().path("waiting"))).isEmpty();
            assertThat(sign().path("dealTotal").asInt()).as("the dead one no longer counts").isEqualTo(EACH * WORKERS.size());
            assertThat(web.visits()).as("nothing was fetched under the sign").hasSize(visits);
            assertThat(crawl(client).state()).isEqualTo(CrawlState.STARTED);

            hung.destroyForcibly().waitFor();
            ask("DELETE", "/api/stop-sign");
            await().atMost(PATIENCE).until(() -> crawl(client).state() == CrawlState.STOPPED);
            assertThat(crawl(client).end()).map(End::reason).contains(EndReason.FINISHED);
            GraphChecks.output(graph, List.of(graph.url(0)), DEPTH, new Output(folder.resolve("pages")));
        }
    }

    private Process start(String module, int at) {
        Map<String, String> environment = new HashMap<>(
                Map.of("TRAWL_KAFKA_BOOTSTRAP_SERVERS", fixture.settings().kafka().bootstrapServers(),
                        "TRAWL_REDIS_URL", fixture.settings().redis().url(), "TRAWL_NAMESPACE", fixture.topics().namespace(),
                        "TRAWL_OUT", folder.resolve("pages").toString(), "TRAWL_ALLOW_NETWORK", "127.0.0.0/8", "TRAWL_LEASE",
                        LEASE, "TRAWL_HTTP_PORT", Integer.toString(at)));
        return processes.start(module, environment);
    }

    private JsonNode sign() throws IOException, InterruptedException {
        return ask("GET", "/api/stop-signs").path(0);
    }

    private JsonNode ask(String method, String path) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(30)).method(method, HttpRequest.BodyPublishers.noBody()).build(),
                HttpResponse.BodyHandlers.ofString());
        return Json.mapper().readTree(answer.body());
    }

    private static CrawlSummary crawl(CoordinatorClient client) throws InterruptedException {
        return client.crawl(CRAWL).orElseThrow();
    }

    private static List<String> names(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText).toList();
    }

    private static void signal(Process process, String signal) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor()).isZero();
    }

    private static CrawlDefinition definition(LinkGraph graph) {
        return Json.read("{\"seeds\": [{\"url\": \"%s\"}], \"depth\": %d, \"delay\": \"150ms\", \"domains\": [\"%s\"]}"
                .formatted(graph.url(0), DEPTH, String.join("\",\"", graph.domains())).getBytes(StandardCharsets.UTF_8),
                CrawlDefinition.class);
    }
}
