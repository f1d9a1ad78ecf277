package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.standalone.TrawlCommand;
import io.trawl.testkit.Behaviours;
import io.trawl.testkit.FakeHost;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.Output;
import io.trawl.testkit.TestTimeouts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The nightly {@code crawl --fresh}, as processes: one is killed, one finds no site, one a part of it, and one finds
 * another one.
 */
class FreshRunIT {
    private static final int DEPTH = 8;
    @TempDir
    private Path folder;

    private Process run(Processes processes, Path file, String... more) {
        return processes.start("deploy/standalone", Map.of("TRAWL_DOWNLOADER_RETRIES_STATUS", "0"),
                Stream.concat(Stream.of("crawl", "--file", file.toString(), "--allow-network", "127.0.0.0/8", "--quiet",
                        "--out", folder.resolve("pages").toString(), "--data", folder.resolve("data").toString()),
                        Stream.of(more)).toArray(String[]::new));
    }

    @Test
    @Tag("nightly")
    void aFinishedRunStaysUntilTheNextOneHasFinishedWhateverHappensInBetween() throws Exception {
        try (Processes processes = new Processes(Files.createDirectories(folder.resolve("logs")))) {
            Path file = folder.resolve("docs.yaml");
            Map<Path, String> good;
            try (FakeWeb web = FakeWeb.start(2)) {
                LinkGraph graph = LinkGraph.serve(web, 60, 4, 5);
                Files.writeString(file, """
                        seeds: ["%s"]
                        scope: {domains: %s}
                        limits: {depth: %d}
                        fetch: {delay: 20ms}
                        sinks: [{type: jsonl, types: [page]}]
                        """.formatted(graph.url(0), graph.domains(), DEPTH));
                ends(run(processes, file), processes, 0);
                assertThat(latest()).isEqualTo("docs-1");
                Map<Path, String> first = files("docs-1");

                Process killed = run(processes, file, "--fresh");
                int visits = web.visits().size() + 10;
                Awaitility.await().until(() -> web.visits().size() >= visits || !killed.isAlive());
                killed.destroyForcibly().waitFor();
                assertThat(latest()).isEqualTo("docs-1");
                assertThat(files("docs-1")).isEqualTo(first);

                ends(run(processes, file, "--fresh"), processes, 0);
                assertThat(latest()).isEqualTo("docs-3");
                assertThat(runs()).as("the killed one is none").containsExactly("docs-1", "docs-3");
                assertThat(pages("docs-3")).hasSizeGreaterThan(20).isEqualTo(pages("docs-1"));
                good = files("docs-3");
            }
            Process down = run(processes, file, "--fresh", "--keep", "1");
            ends(down, processes, 6);
            assertThat(processes.lastLines(down, 50))
                    .contains("no page: http://", " CONNECT ", "Connection refused",
                            "sinks: no sink takes items of the type error 1", "the last finished run stays: ")
                    .doesNotContain("cannot be read", "pages/errors");
            assertThat(latest()).isEqualTo("docs-3");
            assertThat(files("docs-3")).isEqualTo(good);

            Files.writeString(file, Files.readString(file).replaceAll("sinks: .*", ""));
            ends(run(processes, file, "--fresh", "--keep", "1"), processes, 6);
            assertThat(new Output(folder.resolve("pages"), "docs-5").errors()).as("it has files").isNotEmpty();
            assertThat(latest()).isEqualTo("docs-3");
            assertThat(files("docs-3")).isEqualTo(good);
        }
    }

    @Test
    void aNightInWhichMostOfTheSiteIsDownReplacesNothing() throws Exception {
        try (Processes processes = new Processes(Files.createDirectories(folder.resolve("logs")));
                FakeWeb web = FakeWeb.start(1)) {
            FakeHost host = web.host(0);
            List<String> pages = List.of("1", "2", "3", "4", "5");
            host.page("/", index(pages, "6"));
            pages.forEach(page -> host.page("/" + page, page("menu", "The text of " + page)));
            host.page("/6", page("menu", "The text of 6"));
            Path file = Files.writeString(folder.resolve("docs.yaml"),
                    "{seeds: [\"" + host.url("/") + "\"], fetch: {delay: 0ms}, keep: 1}");
            ends(run(processes, file), processes, 0);
            Map<Path, String> good = files("docs-1");

            pages.forEach(page -> host.route("/" + page, Behaviours.status(503)));
            Process down = run(processes, file, "--fresh");
            ends(down, processes, 6);
            assertThat(processes.lastLines(down, 50)).contains(
                    "docs/2 has failed: it has 2 of the 7 pages of the last run, and 5 requests failed; it gets no"
                            + " _SUCCESS, and older runs stay",
                    "HTTP_ERROR 503 5", "the last finished run stays: ");
            assertThat(latest()).isEqualTo("docs-1");
            assertThat(files("docs-1")).isEqualTo(good);
            assertThat(files("docs-2").keySet()).extracting(path -> path.getFileName().toString())
                    .noneMatch(name -> name.startsWith("_"));

            pages.forEach(page -> host.page("/" + page, page("menu", "The text of " + page)));
            Process again = run(processes, file, "--fresh");
            ends(again, processes, 0);
            assertThat(processes.lastLines(again, 50)).contains("since run 1: unchanged 7");
            assertThat(latest()).isEqualTo("docs-3");
            assertThat(runs()).containsExactly("docs-3");
        }
    }

    @Test
    void theSecondRunSaysWhatHasChangedSinceTheFirst() throws Exception {
        try (Processes processes = new Processes(Files.createDirectories(folder.resolve("logs")));
                FakeWeb web = FakeWeb.start(1)) {
            FakeHost host = web.host(0);
            List<String> pages = List.of("same", "text", "template", "gone", "down", "old", "back");
            host.page("/", index(pages, "alone"));
            pages.forEach(page -> host.page("/" + page, page("menu", "The text of " + page)));
            host.page("/alone", page("menu", "Alone"));
            host.route("/back", Behaviours.notFound());
            Path file = Files.writeString(folder.resolve("docs.yaml"), """
                    seeds: ["%s"]
                    fetch: {delay: 0ms}
                    extract:
                      page: true
                      items: [{type: none, match: /text, fields: {x: {css: .none, required: true}}}]
                    """.formatted(host.url("/")));
            ends(run(processes, file), processes, 0);

            host.page("/", index(pages, "new"));
            host.page("/text", page("menu", "Another text"));
            host.page("/template", page("another menu, token 4711", "The text of template"));
            host.page("/back", page("menu", "The text of back"));
            host.page("/new", page("menu", "New"));
            host.route("/gone", Behaviours.notFound());
            host.route("/down", Behaviours.status(403));
            host.redirect("/old", "/moved-to");
            host.page("/moved-to", page("menu", "The text of old"));
            Process second = run(processes, file, "--fresh");
            ends(second, processes, 0);
            assertThat(processes.lastLines(second, 6)).contains(
                    "error: " + host.url("/text")
                            + " EXTRACT extract.items[0].fields.x: '' is not valid: it is required",
                    "since run 1: new 2, changed 2, unchanged 2, gone 1, back 1, moved 1, failed 1, no longer linked 1");
            assertThat(TrawlCommand.run("diff", "docs", "--out", folder.resolve("pages").toString()).out().lines()
                    .skip(1).map(line -> line.replaceAll(" +http://[^/]+", " "))).containsExactly("back /back, A page",
                            "changed /, A page", "changed /text, A page", "failed /down, A page", "gone /gone, A page",
                            "moved /old, A page", "new /moved-to, A page", "new /new, A page",
                            "unlinked /alone, A page");
        }
    }

    private static String index(List<String> pages, String another) {
        return page("menu", Stream.concat(pages.stream(), Stream.of(another))
                .map(page -> "<a href='/" + page + "'>" + page + "</a>").collect(Collectors.joining(" and ")));
    }

    private static String page(String menu, String text) {
        return "<html><title>A page</title><body><nav>" + menu + "</nav><main><p>" + text + "</p></main></body></html>";
    }

    private static void ends(Process process, Processes processes, int code) throws InterruptedException {
        assertThat(process.waitFor(TestTimeouts.LIMIT)).as(processes.printed()).isTrue();
        assertThat(process.exitValue()).as(processes.printed()).isEqualTo(code);
    }

    private String latest() throws IOException {
        return folder.resolve("pages/latest/docs").toRealPath().getFileName().toString();
    }

    private List<String> runs() throws IOException {
        try (Stream<Path> runs = Files.list(folder.resolve("pages/items"))) {
            return runs.map(run -> run.getFileName().toString()).sorted().toList();
        }
    }

    private Set<String> pages(String run) {
        return new Output(folder.resolve("pages"), run).pages().keySet();
    }

    private Map<Path, String> files(String run) throws IOException {
        Map<Path, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.list(folder.resolve("pages/items").resolve(run))) {
            for (Path file : all.toList()) {
                files.put(file, Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return files;
    }
}
