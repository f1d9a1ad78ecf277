package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.standalone.TrawlCommand;
import io.trawl.standalone.TrawlCommand.Said;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.Output;
import io.trawl.testkit.TestTimeouts;
import io.trawl.testkit.FakeWeb;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code trawl crawl --seeds}. */
class SeedListIT {
    @TempDir
    private Path folder;

    @Test
    void aListIsCrawledInTheDomainsOfAllItsSeedsAndOneThatIsRefusedEmptyOrMissingIsSaid() throws Exception {
        try (Processes processes = new Processes(Files.createDirectories(folder.resolve("logs")));
                FakeWeb web = FakeWeb.start(3)) {
            LinkGraph graph = LinkGraph.serve(web, 40, 3, 5);
            List<String> seeds = GraphChecks.ofEachHost(graph, 40);
            assertThat(seeds).hasSize(3);
            Path list = Files.writeString(folder.resolve("Urls of 2026.txt"),
                    "# three hosts\n" + String.join("\n", seeds) + "\n");
            Said said = crawl("--seeds", list.toString(), "--depth", "10");
            assertThat(said.code()).as(said.err()).isZero();
            GraphChecks.output(graph, seeds, 10, new Output(folder.resolve("pages")));
            assertThat(crawl("--seeds", list.toString(), "--domain", "example.org")).satisfies(refused -> {
                assertThat(refused.code()).isEqualTo(2);
                assertThat(refused.err()).contains("all seeds were refused").contains("DOMAIN 3");
            });
            assertThat(crawl("--seeds", folder.resolve("none").toString()).code()).isEqualTo(2);
            Said empty = crawl("--seeds", Files.writeString(folder.resolve("empty.txt"), "# none\n").toString());
            assertThat(empty.code()).isEqualTo(2);
            assertThat(empty.err()).endsWith("trawl: --seeds: the list has no seed\n");
            String sitemap = web.host(0).url("/none.xml");
            Process missing = processes.start("deploy/standalone", Map.of(), arguments("--seeds", sitemap));
            assertThat(missing.waitFor(TestTimeouts.LIMIT)).isTrue();
            assertThat(missing.exitValue()).isEqualTo(6);
            assertThat(processes.lastLines(missing, 5))
                    .contains("no page: " + sitemap + " HTTP_ERROR the server answered with status 404");
        }
    }

    private Said crawl(String... options) {
        return TrawlCommand.run(arguments(options));
    }

    private String[] arguments(String... options) {
        List<String> all = new ArrayList<>(List.of("crawl", "--out", folder.resolve("pages").toString(), "--data",
                folder.resolve("data").toString(), "--quiet", "--allow-network", "127.0.0.0/8", "--delay", "0ms"));
        all.addAll(List.of(options));
        return all.toArray(String[]::new);
    }
}
