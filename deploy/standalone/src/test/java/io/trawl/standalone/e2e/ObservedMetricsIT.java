package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.analyzer.Analyzer;
import io.trawl.coordinator.Coordinator;
import io.trawl.downloader.Downloader;
import io.trawl.pipeline.Pipeline;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.LocalWorkers;
import io.trawl.worker.Worker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard and the alerts of {@code deploy/observe} query only metrics that the processes expose. */
class ObservedMetricsIT {
    private static final Path OBSERVE = Path.of("..", "observe");
    private static final Pattern EXPRESSION = Pattern.compile("\"?expr\"?: (.*)");
    private static final Pattern NAME = Pattern.compile("\\b(trawl|jvm|process|system)_[a-z0-9_]+");
    @TempDir
    private static Path folder;

    @Test
    void everyMetricOfTheDashboardAndOfTheAlertsIsExposedByARunningProcessWithAValue() throws Exception {
        Set<String> wanted = new TreeSet<>(names(OBSERVE.resolve("alerts.yaml")));
        wanted.addAll(names(OBSERVE.resolve("grafana/dashboards/trawl.json")));
        assertThat(wanted).hasSizeGreaterThan(20);

        KafkaFixture fixture = new KafkaFixture(Map.of("trawl.out", folder.resolve("pages").toString(), "trawl.grace", "5s"));
        try (LocalWorkers workers = new LocalWorkers(); HttpClient http = HttpClient.newHttpClient()) {
            List<Worker> fleet = List.of(workers.start(fixture, Coordinator.factory()),
                    workers.start(fixture, Pipeline.factory()), workers.start(fixture, Analyzer.factory()),
                    workers.start(fixture, Downloader.factory()));
            await().untilAsserted(() -> {
                System.gc();
                assertThat(withValues(fleet, http)).containsAll(wanted);
            });
        }
    }

    private static Set<String> names(Path file) throws IOException {
        Set<String> names = new TreeSet<>();
        Matcher expression = EXPRESSION.matcher(Files.readString(file));
        while (expression.find()) {
            Matcher name = NAME.matcher(expression.group(1));
            while (name.find()) {
                names.add(name.group());
            }
        }
        return names;
    }

    private static Set<String> withValues(List<Worker> fleet, HttpClient http) throws IOException, InterruptedException {
        Set<String> names = new TreeSet<>();
        for (Worker worker : fleet) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + worker.mid().address() + "/metrics")).build();
            http.send(request, BodyHandlers.ofString()).body().lines()
                    .filter(line -> !line.startsWith("#") && !line.endsWith("NaN"))
                    .forEach(line -> names.add(line.replaceFirst("[{ ].*", "")));
        }
        return names;
    }
}
