package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.Output;
import io.trawl.testkit.TestTimeouts;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code trawl up} as a process, as docs/cli.md says. */
class UpIT {
    private static final Pattern ADDRESS = Pattern.compile("https?://\\S+");
    @TempDir
    private Path folder;
    private String token = "";

    @Test
    void servesTheDashboardAndCrawlsUntilItIsAskedToEnd() throws Exception {
        Path logs = Files.createDirectories(folder.resolve("logs"));
        try (Processes processes = new Processes(logs);
                FakeWeb web = FakeWeb.start(2);
                HttpClient http = HttpClient.newHttpClient()) {
            LinkGraph graph = LinkGraph.serve(web, 40, 4, 3);
            Process up = processes.start("deploy/standalone", Map.of(), "up", "--data",
                    folder.resolve("data").toString(), "--out", folder.resolve("pages").toString(), "--allow-network",
                    "127.0.0.0/8");
            URI dashboard = awaitAddress(up, processes);

            assertThat(dashboard.getRawFragment()).startsWith("token=");
            refusesWhoHasNoToken(dashboard);
            answers(http, dashboard);
            crawls(http, dashboard, graph, List.of("first", "second"));
            GraphChecks.output(graph, List.of(graph.url(0)), 5, new Output(folder.resolve("pages"), "first-1"));
            GraphChecks.output(graph, List.of(graph.url(0)), 5, new Output(folder.resolve("pages"), "second-1"));

            assertThat(processes.terminate(up)).as("exit status after SIGTERM\n%s", processes.printed()).isZero();
        }
    }

    /** The commands of README.md, one after the other in one folder. */
    @Test
    @Tag("nightly")
    void crawlsAndUpShareOneOutputFolder() throws Exception {
        Path logs = Files.createDirectories(folder.resolve("logs"));
        try (Processes processes = new Processes(logs); FakeWeb web = FakeWeb.start(2)) {
            LinkGraph graph = LinkGraph.serve(web, 12, 2, 3);
            assertThat(crawl(processes, "first", graph.url(0))).as(processes.printed()).isZero();
            assertThat(crawl(processes, "second", graph.url(1))).as(processes.printed()).isZero();
            assertThat(crawl(processes, "nothing", "http://127.0.0.1:1/")).as("no seed gave a page").isEqualTo(6);
            assertThat(processes.printed()).contains("no page: http://127.0.0.1:1/ CONNECT ", "Connection refused");

            Process up = processes.start("deploy/standalone", Map.of("TRAWL_GRASE", "1s"), "up", "--data",
                    folder.resolve("data").toString(), "--out", folder.resolve("pages").toString());
            await().until(() -> !up.isAlive() || processes.printed().contains("Trawl is running"));
            assertThat(processes.terminate(up)).as(processes.printed()).isZero();
            assertThat(processes.printed()).contains("did you mean TRAWL_GRACE?");
        }
        assertThat(folder.resolve("pages/items/first-1")).isNotEmptyDirectory();
        assertThat(folder.resolve("pages/items/second-1")).isNotEmptyDirectory();
    }

    private int crawl(Processes processes, String id, String url) throws InterruptedException {
        Process crawl = processes.start("deploy/standalone", Map.of(), "crawl", url, "--id", id, "--delay", "0ms",
                "--data", folder.resolve("data").toString(), "--out", folder.resolve("pages").toString(),
                "--allow-network", "127.0.0.0/8");
        assertThat(crawl.waitFor(TestTimeouts.LIMIT)).as("ends by itself").isTrue();
        return crawl.exitValue();
    }

    /** A stop is no failure, at whatever moment it is asked for. */
    @Test
    void aStopWhileItStartsIsCleanAndSaysSoInAFewLines() throws Exception {
        Path logs = Files.createDirectories(folder.resolve("logs"));
        try (Processes processes = new Processes(logs)) {
            Process up = processes.start("deploy/standalone", Map.of(), "up", "--data",
                    folder.resolve("data").toString(), "--out", folder.resolve("pages").toString());
            await().until(() -> !up.isAlive() || processes.printed().contains("starting Kafka"));
            assertThat(processes.terminate(up)).as(processes.printed()).isZero();
            assertThat(processes.printed()).doesNotContain("\tat ", "Trawl is running");
            // The JVM warns of what Kafka uses; the options of ./trawl silence it.
            assertThat(processes.printed().lines().filter(line -> !line.startsWith("WARNING: ")))
                    .hasSizeLessThanOrEqualTo(4);
        }
    }

    @Test
    void aRedisServerThatIsKilledRunsAgainAndTheCrawlGoesOnUntilItIsKilledTooOften() throws Exception {
        Path logs = Files.createDirectories(folder.resolve("logs"));
        CountDownLatch go = new CountDownLatch(1);
        try (Processes processes = new Processes(logs);
                FakeWeb web = FakeWeb.start(2);
                HttpClient http = HttpClient.newHttpClient()) {
            LinkGraph graph = LinkGraph.serve(web, 40, 4, 3);
            web.host(1).hold(go);
            Process up = processes.start("deploy/standalone", Map.of(), "up", "--data",
                    folder.resolve("data").toString(), "--out", folder.resolve("pages").toString(), "--allow-network",
                    "127.0.0.0/8");
            URI dashboard = awaitAddress(up, processes);
            token = dashboard.getRawFragment().replace("token=", "");
            define(http, dashboard, graph, "docs");
            await().until(() -> !web.visits().isEmpty());
            killRedis();
            await().until(() -> processes.printed().contains("redis-server has ended; it runs again on its data"));
            go.countDown();
            awaitFinished(http, dashboard, "docs");
            GraphChecks.output(graph, List.of(graph.url(0)), 5, new Output(folder.resolve("pages"), "docs-1"));

            await().until(() -> {
                killRedis();
                return !up.isAlive();
            });
            assertThat(up.waitFor(TestTimeouts.LIMIT)).isTrue();
            assertThat(up.exitValue()).as(processes.printed()).isNotZero();
            assertThat(processes.printed())
                    .contains("cannot continue: redis-server was started again 4 times within a minute")
                    .doesNotContain("\tat ");
        }
    }

    private void killRedis() throws IOException {
        Properties process = new Properties();
        try (Reader in = Files.newBufferedReader(folder.resolve("data/up/redis/process.properties"))) {
            process.load(in);
        }
        ProcessHandle.of(Long.parseLong(process.getProperty("process").replaceAll(" .*", "")))
                .ifPresent(ProcessHandle::destroyForcibly);
    }

    private static URI awaitAddress(Process up, Processes processes) {
        await().until(() -> !up.isAlive() || address(processes).isPresent());
        return URI.create(address(processes).orElseThrow(() -> new AssertionError(processes.printed())));
    }

    static Optional<String> address(Processes processes) {
        Matcher m = ADDRESS.matcher(processes.printed());
        return m.find() ? Optional.of(m.group()) : Optional.empty();
    }

    private void answers(HttpClient http, URI dashboard) throws Exception {
        for (String path : List.of("/", "/api/v1/summary", "/api/v1/crawls", "/api/v1/modules", "/api/v1/queue",
                "/metrics", "/health/live", "/health/ready")) {
            HttpResponse<String> answer = get(http, dashboard.resolve(path));
            assertThat(answer.statusCode()).as(path + ": " + answer.body()).isEqualTo(200);
        }
        assertThat(get(http, dashboard).body()).startsWith("<!doctype html>");
        await().untilAsserted(() -> assertThat(json(get(http, dashboard.resolve("/api/v1/modules"))))
                .as("one of each kind").hasSize(4));
    }

    private void crawls(HttpClient http, URI dashboard, LinkGraph graph, List<String> ids) throws Exception {
        for (String id : ids) {
            define(http, dashboard, graph, id);
        }
        for (String id : ids) {
            awaitFinished(http, dashboard, id);
        }
    }

    private void define(HttpClient http, URI dashboard, LinkGraph graph, String id) throws Exception {
        String definition = "{\"seeds\": [{\"url\": \"%s\"}], \"limits\": {\"depth\": 5}, \"fetch\": {\"delay\": \"0ms\"}, \"scope\": {\"domains\": [\"%s\"]}}"
                .formatted(graph.url(0), String.join("\",\"", graph.domains()));
        HttpRequest define = HttpRequest.newBuilder(dashboard.resolve("/api/v1/crawls/" + id + "?start=true"))
                .header("Content-Type", "application/json").header("Authorization", "Bearer " + token)
                .PUT(HttpRequest.BodyPublishers.ofString(definition)).build();
        // On a busy machine the leader may have to be elected again: 503 says that nothing was done.
        HttpResponse<String> defined = await().until(() -> http.send(define, HttpResponse.BodyHandlers.ofString()),
                answer -> answer.statusCode() != 503);
        assertThat(defined.statusCode()).as(defined.body()).isEqualTo(201);
    }

    private void awaitFinished(HttpClient http, URI dashboard, String id) {
        await().untilAsserted(
                () -> assertThat(json(get(http, dashboard.resolve("/api/v1/crawls/" + id))).at("/end/reason").asText())
                        .isEqualTo("FINISHED"));
    }

    private void refusesWhoHasNoToken(URI dashboard) throws Exception {
        try (HttpClient stranger = HttpClient.newHttpClient()) {
            assertThat(stranger.send(HttpRequest.newBuilder(dashboard.resolve("/api/v1/summary")).build(),
                    HttpResponse.BodyHandlers.discarding()).statusCode()).isEqualTo(401);
        }
        Path file = folder.resolve("data").resolve("up").resolve("token");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
        token = Files.readString(file).strip();
        assertThat(dashboard.getRawFragment()).isEqualTo("token=" + token);
    }

    private HttpResponse<String> get(HttpClient http, URI uri) {
        try {
            return http.send(HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + token)
                    .timeout(TestTimeouts.LIMIT).build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JsonNode json(HttpResponse<String> answer) throws IOException {
        return Json.mapper().readTree(answer.body().getBytes(StandardCharsets.UTF_8));
    }
}
