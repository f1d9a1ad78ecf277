package io.trawl.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trawl.codec.Json;
import io.trawl.testkit.FakeHost;
import io.trawl.testkit.FakeWeb;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A crawl with an archive, and the replay of the archive, by their commands. */
class ReplayIT {
    private static final String FILE = """
            seeds: ["%s"]
            limits: {depth: 3}
            fetch: {delay: 0ms}
            discover: {from: both}
            sinks: [{type: jsonl}, {type: warc}]
            extract:
              page: true
              anchors: true
              items: [{type: step, match: "/p*", each: li, fields: {title: {css: b}}}]
            """;
    @TempDir
    private Path temp;

    private static FakeHost site(FakeHost host) {
        String links = IntStream.range(0, 20).mapToObj(i -> "<li><b>" + i + "</b><a href='/p" + i + "'>p</a></li>")
                .reduce("", String::concat);
        host.page("/", "<title>Start \u00e4</title>" + links
                + "<a href='/old'>o</a><a href='/none'>n</a><a href='/copy'>c</a>");
        IntStream.range(0, 20).forEach(
                i -> host.page("/p" + i, "<title>P" + i + "</title><li><b>x</b></li><a href='/deep" + i + "'>d</a>"));
        IntStream.range(0, 20)
                .forEach(i -> host.page("/deep" + i, "<title>Deep</title>" + (i % 2 == 0 ? "the same" : "other " + i)));
        host.page("/copy", "<title>P1</title><li><b>x</b></li><a href='/deep1'>d</a>");
        return host.redirect("/old", "/p3")
                .page("/sitemap.xml", "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>"
                        + host.url("/mapped") + "</loc></url></urlset>")
                .page("/mapped", "<title>Mapped</title>");
    }

    @Test
    void aReplayGivesTheItemsOfTheCrawlAndSendsNoRequest() throws Exception {
        try (FakeWeb web = FakeWeb.start(1)) {
            Path file = Files.writeString(temp.resolve("site.yaml"), FILE.formatted(site(web.host(0)).url("/")));
            run("crawl", "--file", file, "--out", temp.resolve("pages"), "--data", temp.resolve("data"), "--quiet",
                    "--allow-network", "127.0.0.0/8");
            Map<String, List<ObjectNode>> crawled = items(temp.resolve("pages"));
            assertThat(crawled.size()).isGreaterThan(60);
            web.forgetVisits();
            run("replay", "--from", temp.resolve("pages/archive"), "--file", file, "--out", temp.resolve("again"),
                    "--data", temp.resolve("data"), "--quiet");
            assertThat(web.visits()).isEmpty();
            assertThat(items(temp.resolve("again"))).isEqualTo(crawled);
        }
    }

    private static void run(Object... args) {
        assertThat(Trawl.commandLine(Map.of()).execute(Stream.of(args).map(Object::toString).toArray(String[]::new)))
                .isZero();
    }

    /** By URL and type, without the names of the run. */
    private static Map<String, List<ObjectNode>> items(Path out) throws IOException {
        Map<String, List<ObjectNode>> items = new TreeMap<>();
        try (Stream<Path> files = Files.walk(out)) {
            files.filter(file -> file.toString().endsWith(".jsonl")).flatMap(ReplayIT::lines).forEach(item -> {
                item.remove(List.of("id", "key", "crawl", "epoch"));
                items.merge(item.path("url") + " " + item.path("title") + item.path("type"), List.of(item),
                        (a, b) -> Stream.concat(a.stream(), b.stream()).toList());
            });
        }
        return items;
    }

    private static Stream<ObjectNode> lines(Path file) {
        try {
            return Files.readAllLines(file).stream().map(line -> {
                try {
                    return (ObjectNode) Json.mapper().readTree(line);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
