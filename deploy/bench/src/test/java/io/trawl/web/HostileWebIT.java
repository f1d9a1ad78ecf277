package io.trawl.web;

import static java.util.Objects.requireNonNullElse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.trawl.bench.fleet.BenchProcess;
import io.trawl.model.FailureReason;
import io.trawl.testkit.Output;
import io.trawl.testkit.TestTimeouts;
import io.trawl.testkit.hostile.CaseOutcome;
import io.trawl.testkit.hostile.CaseOutcome.FailureError;
import io.trawl.testkit.hostile.CaseOutcome.Forbidden;
import io.trawl.testkit.hostile.CaseOutcome.StatusError;
import io.trawl.testkit.hostile.CaseOutcome.Truncated;
import io.trawl.testkit.hostile.CaseOutcome.Unlisted;
import io.trawl.testkit.hostile.CaseOutcome.Whole;
import io.trawl.testkit.hostile.HostileCase;
import io.trawl.testkit.hostile.HostileWeb;
import io.trawl.testkit.web.GeneratedSites;
import io.trawl.testkit.web.LoopbackWeb;
import io.trawl.time.Time;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One crawl, as a process, through every case of the hostile web, with honest sites beside it. */
class HostileWebIT {
    private static final Time TIME = Time.system();
    private static final int HONEST_SITES = 3;
    private static final int HONEST_PAGES = 60;
    /** As TrapCases counts on. */
    private static final int DEPTH = 5;
    /** Of the broker and all stages together. */
    private static final long HEAP = 256L << 20;
    /** What a JVM takes beside its heap, and redis-server. */
    private static final long BESIDE_THE_HEAP = 500L << 20;
    /** Short, but for servers that never end a busy machine must still receive 8 MB in time. */
    private static final Map<String, String> SHORT_LIMITS = Map.ofEntries(
            Map.entry("TRAWL_DOWNLOADER_CONNECT_TIMEOUT", "10s"), Map.entry("TRAWL_DOWNLOADER_RESPONSE_TIMEOUT", "15s"),
            Map.entry("TRAWL_DOWNLOADER_TOTAL_TIMEOUT", "60s"), Map.entry("TRAWL_DOWNLOADER_LONGEST_PAUSE", "500ms"),
            Map.entry("TRAWL_DOWNLOADER_RETRIES_FAILURE", "0"), Map.entry("TRAWL_DOWNLOADER_RETRIES_STATUS", "0"));
    /** The cases with such names; without it every eighth one, which takes a commit seconds instead of minutes. */
    private static final Predicate<String> CASES = Optional.ofNullable(System.getProperty("hostile.cases"))
            .map(names -> Pattern.compile(names).asMatchPredicate()).orElse(name -> name.hashCode() % 8 == 0);
    @TempDir
    private Path folder;
    private final Map<String, JsonNode> items = new HashMap<>();
    private final Map<String, JsonNode> errors = new HashMap<>();

    @Test
    void aCrawlThroughAllOfItInASmallHeapEndsWithTheOutcomeOfEachCase() throws Exception {
        Path keys = Files.createDirectory(folder.resolve("keys"));
        try (HostileWeb web = HostileWeb.start(keys, each -> CASES.test(each.name()));
                LoopbackWeb honest = LoopbackWeb.start(0, new GeneratedSites(HONEST_SITES, HONEST_PAGES), TIME)) {
            long peak = crawl(web, honest);
            Output output = new Output(folder.resolve("pages"));
            items.putAll(output.pages());
            errors.putAll(output.errors());

            assertThat(failures(web)).as("cases with another outcome").isEmpty();
            assertThat(honestPages(honest)).as("honest pages that are missing").isEmpty();
            assertThat(web.connectionsToClosedAddress()).as("connections to a closed address").isZero();
            assertThat(peak).as("peak of the resident memory").isLessThan(HEAP + BESIDE_THE_HEAP);
        }
    }

    /** Runs the crawl to its end; returns its peak memory. */
    private long crawl(HostileWeb web, LoopbackWeb honest) throws InterruptedException, IOException {
        List<String> arguments = new ArrayList<>(List.of("crawl", web.firstPage(), "--depth", Integer.toString(DEPTH),
                "--delay", "0ms", "--allow-network", HostileWeb.NETWORK, "--out", folder.resolve("pages").toString(),
                "--data", folder.resolve("data").toString(), "--quiet", "--json"));
        IntStream.range(0, HONEST_SITES).forEach(site -> {
            arguments.add(1, honest.url(site, "/"));
            arguments.addAll(List.of("--domain", URI.create(honest.url(site, "/")).getHost()));
        });
        web.domains().forEach(domain -> arguments.addAll(List.of("--domain", domain)));
        List<String> options = new ArrayList<>(web.jvmOptions());
        options.addAll(List.of("-Xmx" + HEAP, "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError",
                "-XX:+DisplayVMOutputToStderr"));
        long begun = TIME.nanos();
        try (BenchProcess crawl = BenchProcess.start("crawl", "deploy/standalone", options, SHORT_LIMITS,
                folder.resolve("logs"), TIME, arguments.toArray(String[]::new))) {
            await("the end of the crawl").atMost(TestTimeouts.LIMIT).until(() -> !crawl.alive());
            int exit = crawl.await();
            assertThat(exit).as("exit code after%n%s", lastLines(folder.resolve("logs/crawl.err"))).isZero();
            long peak = crawl.usage().peakMemory();
            System.out.printf("%d cases in %.1f s, peak of the resident memory %d MiB%n", web.cases().size(),
                    (TIME.nanos() - begun) / 1e9, peak >> 20);
            return peak;
        }
    }

    /** For the log of a build, which keeps nothing else of the process. */
    private static String lastLines(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
    }

    private Map<String, String> failures(HostileWeb web) {
        Map<String, String> wrong = new TreeMap<>();
        for (HostileCase each : web.cases()) {
            CaseOutcome seen = seen(web, each);
            JsonNode item = requireNonNullElse(items.get(web.watched(each)), MissingNode.getInstance());
            if (!each.outcomes().contains(seen)) {
                wrong.put(each.name(),
                        seen.text() + " instead of " + each.outcomes().stream().map(CaseOutcome::text).toList() + ": "
                                + requireNonNullElse(errors.get(web.watched(each)), item).path("cause").asText());
            } else if (each.title().isPresent() && !each.title().get().equals(item.path("title").asText())) {
                wrong.put(each.name(), "the title " + item.path("title"));
            } else if (web.requests(each) > each.mostRequests() + (seen instanceof Forbidden ? 1 : 0)) {
                // robots.txt is asked for once more if its host was forgotten between two URLs.
                wrong.put(each.name(), web.requests(each) + " requests instead of at most " + each.mostRequests());
            }
        }
        return wrong;
    }

    private CaseOutcome seen(HostileWeb web, HostileCase each) {
        JsonNode item = items.get(web.watched(each));
        JsonNode error = errors.get(web.watched(each));
        if (item != null) {
            return item.path("truncated").asBoolean() ? new Truncated() : new Whole();
        }
        if (error == null) {
            return each.outcomes().contains(new Forbidden()) && web.requests(each) >= 1
                    ? new Forbidden()
                    : new Unlisted();
        }
        return error.path("kind").asText().equals("HTTP_ERROR")
                ? new StatusError(error.path("status").asInt())
                : new FailureError(FailureReason.valueOf(error.path("reason").asText()));
    }

    private List<String> honestPages(LoopbackWeb honest) {
        return IntStream.range(0, HONEST_SITES)
                .mapToObj(site -> IntStream.range(0, HONEST_PAGES)
                        .mapToObj(page -> honest.url(site, GeneratedSites.path(page))))
                .flatMap(urls -> urls).filter(url -> !items.containsKey(url)).toList();
    }
}
