package io.trawl.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.codec.Json;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.model.CrawlerError;
import io.trawl.worker.Worker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Crawl files by call and in a folder, as Kubernetes mounts it. */
class CrawlFolderIT {
    private static final String DOCS = "seeds: [https://docs.example.org/]\nfetch: {userAgent: %s}\n";
    @TempDir
    private Path mount;

    /** Swaps the files as a kubelet does: the names are links into a folder that is replaced as a whole. */
    private void mounted(String version, Map<String, String> files) throws IOException {
        Path data = Files.createDirectory(mount.resolve(".." + version));
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.writeString(data.resolve(file.getKey()), file.getValue());
            Path link = mount.resolve(file.getKey());
            if (!Files.isSymbolicLink(link)) {
                Files.createSymbolicLink(link, Path.of("..data", file.getKey()));
            }
        }
        Path fresh = Files.createSymbolicLink(mount.resolve("..tmp"), Path.of(".." + version));
        Files.move(fresh, mount.resolve("..data"), java.nio.file.StandardCopyOption.ATOMIC_MOVE,
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }

    private static void awaitAgent(Fleet fleet, Worker at, String agent) {
        await().ignoreExceptions().untilAsserted(
                () -> assertThat(fleet.crawl(at, "docs").definition().fetch().userAgent()).isEqualTo(agent));
    }

    private static HttpResponse<String> call(Worker at, String method, String path, String type, String body)
            throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(URI.create("http://" + at.mid().address() + path))
                    .header("Content-Type", type).method(method, HttpRequest.BodyPublishers.ofString(body)).build(),
                    BodyHandlers.ofString());
        }
    }

    @Test
    void aFileIsAppliedWhenItChangesAndElseTheLastChangeStands() throws Exception {
        try (Fleet fleet = new Fleet(Map.of("trawl.crawls", mount.toString()))) {
            mounted("1", Map.of("docs.yaml", DOCS.formatted("One/1"), "README.md", "no crawl", "broken.yaml",
                    "limits: {depht: 1}"));
            Worker first = fleet.leader();
            awaitAgent(fleet, first, "One/1");
            await().until(() -> fleet.crawl(first, "docs").state() == CrawlState.STARTED);
            String fault = "1:10: limits.depht: '1' is not valid: one of the fields depth, host, maxBytes, maxPages, maxTime;"
                    + " did you mean limits.depth?";
            await().untilAsserted(() -> assertThat(fleet.errors()).singleElement().satisfies(error -> {
                assertThat(error.kind()).isEqualTo("CRAWL_FILE");
                assertThat(error.cause()).isEqualTo("the crawl file broken.yaml is not applied: " + fault);
            }));
            assertThat(fleet.ask(first, "GET", "/api/v1/summary", "").body()).contains("broken.yaml: " + fault);

            byCall(first);
            first.stop(Duration.ofSeconds(5));
            Worker second = fleet.leader();
            // Its folder is read when the broken file is reported again: the other file stayed as it was.
            await().until(
                    () -> fleet.errors().stream().map(CrawlerError::kind).filter("CRAWL_FILE"::equals).count() == 2);
            assertThat(fleet.crawl(second, "docs").definition().fetch().userAgent()).isEqualTo("Call/1");

            fleet.ask(second, "POST", "/api/v1/crawls/docs/stop", "");
            mounted("2", Map.of("docs.yaml", DOCS.formatted("Two/1"), "broken.yaml", "{}"));
            awaitAgent(fleet, second, "Two/1");
            assertThat(fleet.crawl(second, "docs").state()).as("a user stopped it").isIn(CrawlState.STOPPING,
                    CrawlState.STOPPED);
            await().untilAsserted(() -> assertThat(fleet.ask(second, "GET", "/api/v1/summary", "").body())
                    .doesNotContain("broken.yaml"));
            Files.delete(mount.resolve("docs.yaml"));
            await().during(Duration.ofSeconds(3))
                    .until(() -> fleet.ask(second, "GET", "/api/v1/crawls/docs", "").status() == 200);
        }
    }

    private static void byCall(Worker at) throws Exception {
        HttpResponse<String> wrong = call(at, "PUT", "/api/v1/crawls/docs", "application/yaml",
                "limits:\n  depth: deep\n");
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).contains("\"field\":\"limits.depth\"", "\"line\":2", "\"column\":3");
        HttpResponse<String> put = call(at, "PUT", "/api/v1/crawls/docs", "application/yaml; charset=utf-8",
                DOCS.formatted("Call/1"));
        assertThat(put.statusCode()).as(put.body()).isEqualTo(200);
        assertThat(Json.read(put.body().getBytes(java.nio.charset.StandardCharsets.UTF_8), CrawlSummary.class)
                .definition().fetch().userAgent()).isEqualTo("Call/1");
        assertThat(call(at, "PUT", "/api/v1/crawls/docs", "text/yaml", "{}").statusCode()).isEqualTo(415);
        HttpResponse<String> schema = call(at, "GET", "/crawl.schema.json", "application/json", "");
        assertThat(Json.mapper().readTree(schema.body()).path("$schema").asText())
                .isEqualTo("https://json-schema.org/draft/2020-12/schema");
    }
}
