package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.analyzer.Analyzer;
import io.trawl.coordinator.Coordinator;
import io.trawl.downloader.Downloader;
import io.trawl.pipeline.Pipeline;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.LocalWorkers;
import io.trawl.worker.StageFactory;
import io.trawl.worker.Worker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes expose exactly the metrics that docs/metrics.md lists. */
class MetricsIT {
    private static final Pattern ROW = Pattern.compile("\\| `(trawl_[a-z_]+)` \\|.*");
    private static final Pattern FAMILY = Pattern.compile("# TYPE (trawl_[a-z_0-9]+) ([a-z]+)");
    @TempDir
    private Path out;
    private final LocalWorkers workers = new LocalWorkers();

    @AfterEach
    void stop() {
        workers.close();
    }

    @Test
    void theTablesListExactlyTheExistingMetrics() throws Exception {
        KafkaFixture fixture = new KafkaFixture(Map.of("trawl.out", out.toString()));
        Map<String, StageFactory> stages = new LinkedHashMap<>();
        stages.put("Coordinator", Coordinator.factory());
        stages.put("Downloader", Downloader.factory());
        stages.put("Analyzer", Analyzer.factory());
        stages.put("Pipeline", Pipeline.factory());
        Map<String, Set<String>> documented = documented();
        Map<String, Worker> running = new LinkedHashMap<>();
        for (Map.Entry<String, StageFactory> stage : stages.entrySet()) {
            running.put(stage.getKey(), workers.start(fixture, stage.getValue()));
        }
        try (HttpClient http = HttpClient.newHttpClient()) {
            for (Map.Entry<String, Worker> worker : running.entrySet()) {
                Set<String> expected = new TreeSet<>(documented.get("Every process"));
                expected.addAll(documented.get(worker.getKey()));
                // Some appear only when the request topics are known.
                await().untilAsserted(
                        () -> assertThat(scraped(http, worker.getValue())).as(worker.getKey()).isEqualTo(expected));
            }
        }
    }

    private static Map<String, Set<String>> documented() throws IOException {
        Map<String, Set<String>> sections = new HashMap<>();
        String section = "";
        for (String line : Files.readAllLines(Path.of("..", "..", "docs", "metrics.md"))) {
            Matcher row = ROW.matcher(line);
            if (line.startsWith("## ")) {
                section = line.substring(3);
            } else if (row.matches()) {
                sections.computeIfAbsent(section, s -> new TreeSet<>()).add(row.group(1));
            }
        }
        return sections;
    }

    /** The families; a histogram's and a summary's maximum belongs to it. */
    private static Set<String> scraped(HttpClient http, Worker worker) throws IOException, InterruptedException {
        String text = http.send(HttpRequest.newBuilder(URI.create("http://" + worker.mid().address() + "/metrics")).build(),
                HttpResponse.BodyHandlers.ofString()).body();
        Map<String, String> families = new HashMap<>();
        FAMILY.matcher(text).results().forEach(family -> families.put(family.group(1), family.group(2)));
        Set<String> names = new TreeSet<>(families.keySet());
        names.removeIf(name -> name.endsWith("_max") && families.containsKey(name.substring(0, name.length() - "_max".length())));
        return names;
    }
}
