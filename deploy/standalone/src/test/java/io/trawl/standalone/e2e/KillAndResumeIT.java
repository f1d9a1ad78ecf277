package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.codec.Json;
import io.trawl.pipeline.manifest.ManifestWriter;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.Output;
import io.trawl.testkit.TestTimeouts;
import io.trawl.testkit.RandomSeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The one command, as a process that is killed. The seed of the random moments is printed and can be set:
 * {@code -Dtrawl.seed=N}.
 */
class KillAndResumeIT {
    private static final int DEPTH = 8;
    private static final int PAGES = 500;
    private static final int KILLS = Integer.getInteger("kills", 1);
    @TempDir
    private Path folder;

    private String[] command(LinkGraph graph) {
        List<String> arguments = new ArrayList<>(List.of("crawl", graph.url(0), "--depth", Integer.toString(DEPTH),
                "--delay", "10ms", "--allow-network", "127.0.0.0/8", "--out", folder.resolve("pages").toString(),
                "--data", folder.resolve("data").toString(), "--json"));
        graph.domains().forEach(domain -> arguments.addAll(List.of("--domain", domain)));
        return arguments.toArray(String[]::new);
    }

    @Test
    void afterKillsAtRandomMomentsTheOutputIsExact() throws Exception {
        long seed = RandomSeed.value();
        Random random = new Random(seed);
        Path logs = Files.createDirectories(folder.resolve("logs"));
        try (Processes processes = new Processes(logs); FakeWeb web = FakeWeb.start(3)) {
            LinkGraph graph = LinkGraph.serve(web, PAGES, 4, 5);
            for (int kill = 1; kill <= KILLS; kill++) {
                Process run = processes.start("deploy/standalone", Map.of(), command(graph));
                int visits = web.visits().size() + 1 + random.nextInt(PAGES / 8);
                Awaitility.await().until(() -> web.visits().size() >= visits || !run.isAlive());
                run.destroyForcibly().waitFor();
            }
            Process last = processes.start("deploy/standalone", Map.of(), command(graph));
            assertThat(last.waitFor(TestTimeouts.LIMIT)).as("ends by itself\n" + processes.printed()).isTrue();
            assertThat(last.exitValue()).as(processes.printed()).isZero();
            assertThat(processes.printed()).as("says where the dashboard is").contains("dashboard: http://127.0.0.1:");
            GraphChecks.output(graph, List.of(graph.url(0)), DEPTH, new Output(folder.resolve("pages")));

            Path mark = successMark();
            Files.delete(mark);
            int before = web.visits().size();
            String first = lastJson(logs, KILLS);
            Process again = processes.start("deploy/standalone", Map.of(), command(graph));
            assertThat(again.waitFor(TestTimeouts.LIMIT)).isTrue();
            assertThat(again.exitValue()).isZero();
            assertThat(web.visits()).as("a finished crawl fetches nothing").hasSize(before);
            assertThat(mark).as("as if the first run had been killed before it wrote the manifest").exists();
            assertThat(Json.mapper().readTree(lastJson(logs, KILLS + 1)).path("totals")).as("the same summary again")
                    .isEqualTo(Json.mapper().readTree(first).path("totals"));
        }
    }

    /** The mark of the finished run. */
    private Path successMark() throws IOException {
        try (Stream<Path> runs = Files.list(folder.resolve("pages/items"))) {
            return runs.findFirst().orElseThrow().resolve(ManifestWriter.SUCCESS);
        }
    }

    /** The summary: the last line that a run printed that is a JSON object. */
    private static String lastJson(Path logs, int run) throws IOException {
        return Files.readAllLines(logs.resolve("deploy-standalone-" + run + ".log")).stream()
                .filter(l -> l.startsWith("{")).toList().getLast();
    }
}
