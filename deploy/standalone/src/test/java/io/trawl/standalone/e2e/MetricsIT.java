package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.model.ModuleKind;
import io.trawl.testkit.Repository;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The metrics of real processes, against docs/metrics.md and against {@code deploy/observe}. One fleet serves both
 * tests.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MetricsIT {
    private static final Path OBSERVE = Repository.file("deploy/observe");
    private static final Pattern ROW = Pattern.compile("\\| `(trawl_[a-z_]+)` \\|.*");
    private static final Pattern FAMILY = Pattern.compile("# TYPE (trawl_[a-z_0-9]+) ([a-z]+)");
    private static final Pattern EXPRESSION = Pattern.compile("\"?expr\"?: (.*)");
    private static final Pattern NAME = Pattern.compile("\\b(trawl|jvm|process|system)_[a-z0-9_]+");
    private final HttpClient http = HttpClient.newHttpClient();
    private OneJvmFleet fleet;

    @BeforeAll
    void startFleet(@TempDir Path folder) throws InterruptedException {
        fleet = new OneJvmFleet(folder.resolve("pages"));
    }

    @AfterAll
    void stopFleet() {
        http.shutdownNow();
        fleet.close();
    }

    @Test
    void theTablesListExactlyTheExistingMetrics() throws IOException {
        Map<String, Set<String>> documented = documented();
        for (ModuleKind kind : ModuleKind.values()) {
            Set<String> expected = new TreeSet<>(documented.get("every process"));
            expected.addAll(documented.get(kind.word()));
            // Some appear only when the request topics are known.
            await().untilAsserted(() -> assertThat(families(kind)).as(kind.word()).isEqualTo(expected));
        }
    }

    @Test
    void everyMetricOfTheDashboardAndOfTheAlertsIsExposedByARunningProcessWithAValue() throws IOException {
        Set<String> wanted = new TreeSet<>(names(OBSERVE.resolve("alerts.yaml")));
        wanted.addAll(names(OBSERVE.resolve("grafana/dashboards/trawl.json")));
        assertThat(wanted).hasSizeGreaterThan(20);

        await().untilAsserted(() -> {
            System.gc();
            assertThat(withValues()).containsAll(wanted);
        });
    }

    /** By the heading of the table, in small letters. */
    private static Map<String, Set<String>> documented() throws IOException {
        Map<String, Set<String>> sections = new HashMap<>();
        String section = "";
        for (String line : Files.readAllLines(Repository.file("docs/metrics.md"))) {
            Matcher row = ROW.matcher(line);
            if (line.startsWith("## ")) {
                section = line.substring(3).toLowerCase(Locale.ROOT);
            } else if (row.matches()) {
                sections.computeIfAbsent(section, s -> new TreeSet<>()).add(row.group(1));
            }
        }
        return sections;
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

    private String scraped(ModuleKind kind) throws IOException, InterruptedException {
        URI metrics = URI.create("http://" + fleet.worker(kind).mid().address() + "/metrics");
        return http.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString()).body();
    }

    /** The families; a histogram's and a summary's maximum belongs to it. */
    private Set<String> families(ModuleKind kind) throws IOException, InterruptedException {
        Map<String, String> families = new HashMap<>();
        FAMILY.matcher(scraped(kind)).results().forEach(family -> families.put(family.group(1), family.group(2)));
        Set<String> names = new TreeSet<>(families.keySet());
        names.removeIf(name -> name.endsWith("_max")
                && families.containsKey(name.substring(0, name.length() - "_max".length())));
        return names;
    }

    private Set<String> withValues() throws IOException, InterruptedException {
        Set<String> names = new TreeSet<>();
        for (ModuleKind kind : ModuleKind.values()) {
            scraped(kind).lines().filter(line -> !line.startsWith("#") && !line.endsWith("NaN"))
                    .forEach(line -> names.add(line.replaceFirst("[{ ].*", "")));
        }
        return names;
    }
}
