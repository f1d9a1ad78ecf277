package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.ItemTotals;
import io.trawl.model.CrawlId;
import io.trawl.standalone.TrawlCommand;
import io.trawl.testkit.Behaviours;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.FreePort;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.Output;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * One of each module in this JVM, on the shared servers: the contract, and crawls that a command helps to go on or
 * repeats from their archive.
 */
class OneJvmIT extends WholeCrawlContract {
    private static final int DEPTH = 4;

    @Override
    RunningFleet start(Path folder) throws InterruptedException {
        Path pages = folder.resolve("pages");
        return new OneJvmFleet(pages, Map.of("trawl.downloader.archives", pages.resolve("archive").toString()));
    }

    private static CrawlDefinition definition(LinkGraph graph, String sinks) {
        return GraphChecks.definition(graph, DEPTH, "0ms")
                .withSinks(List.of(Json.read(sinks.getBytes(StandardCharsets.UTF_8), SinkDefinition[].class)));
    }

    /** Runs a command against the fleet. */
    private TrawlCommand.Said run(String... command) {
        return run(0, command);
    }

    private TrawlCommand.Said run(int code, String... command) {
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(List.of("--coordinator", fleet().address().toString()));
        TrawlCommand.Said said = TrawlCommand.run(all.toArray(String[]::new));
        assertThat(said.code()).as(said.err()).isEqualTo(code);
        return said;
    }

    @Test
    void aCrawlWithASinkThatDoesNotAnswerNamesItAndEndsOnlyWhenItIsGivenUpWhichIsCounted() throws InterruptedException {
        CrawlId crawl = new CrawlId("behind");
        try (FakeWeb web = FakeWeb.start(3)) {
            LinkGraph graph = LinkGraph.serve(web, 60, 4, 9);
            fleet().client().define(crawl,
                    definition(graph,
                            """
                                    [{"type": "jsonl"}, {"type": "csv", "fields": ["id", "url"]},
                                     {"type": "opensearch", "name": "index", "types": ["page"], "settings": {"url": "http://127.0.0.1:%d"}}]"""
                                    .formatted(FreePort.find())),
                    false);
            int pages = graph.reachable(List.of(graph.url(0)), DEPTH).size();
            CrawlSummary waiting = await().until(() -> fleet().client().crawl(crawl).orElseThrow(),
                    now -> now.notes().stream().anyMatch(note -> note.contains("the sink index is behind"))
                            && now.totals().items().waiting() > 0 && now.totals().waiting() == 0);
            assertThat(waiting.end()).as("it waits for the sink, whatever it has fetched").isEmpty();
            assertThat(pages).isGreaterThan(20);

            run("sink", "skip", "behind", "index");

            ItemTotals items = fleet().awaitFinished(crawl).totals().items();
            Output output = new Output(fleet().out(), "behind-1");
            GraphChecks.output(graph, List.of(graph.url(0)), DEPTH, output);
            assertThat(items.skipped()).isEqualTo(Map.of("index", (long) output.pages().size()));
            assertThat(items.sinks()).doesNotContainKey("index").containsKeys("jsonl", "csv");
            assertThat(items.waiting()).isZero();
        }
    }

    @Test
    void aCrawlWhoseSeedsAreAnArchiveGivesTheItemsOfTheCrawlAndSendsNoRequest() throws Exception {
        try (FakeWeb web = FakeWeb.start(3)) {
            LinkGraph graph = LinkGraph.serve(web, 80, 4, 5);
            CrawlDefinition archived = definition(graph, "[{\"type\": \"jsonl\"}, {\"type\": \"warc\"}]");
            fleet().client().define(new CrawlId("archived"), archived, false);
            fleet().awaitFinished(new CrawlId("archived"));
            web.forgetVisits();

            Path file = Files.write(fleet().out().resolveSibling("archived.json"), Json.bytes(archived));
            TrawlCommand.Said said = run("submit", "--file", file.toString(), "--replay",
                    fleet().out().resolve("archive/archived-1").toString());
            assertThat(said.out()).contains("submitted to crawl archived-replay, which is started");
            fleet().awaitFinished(new CrawlId("archived-replay"));

            assertThat(web.visits()).isEmpty();
            assertThat(fleet().client().crawl(new CrawlId("archived-replay")).orElseThrow().refusalsByRule())
                    .as("of a file without rules").isEmpty();
            Output crawled = new Output(fleet().out(), "archived-1");
            Output again = new Output(fleet().out(), "archived-replay-1");
            GraphChecks.output(graph, List.of(graph.url(0)), DEPTH, again);
            assertThat(alike(again.pages())).isEqualTo(alike(crawled.pages()));
            assertThat(alike(again.errors())).isEqualTo(alike(crawled.errors()));
        }
    }

    @Test
    void aRunIsDeletedByThePipelinesWhenANewerOneHasFinishedButNotItsArchive() throws Exception {
        CrawlId crawl = new CrawlId("nightly");
        try (FakeWeb web = FakeWeb.start(2)) {
            LinkGraph graph = LinkGraph.serve(web, 30, 3, 5);
            Path file = Files.write(fleet().out().resolveSibling("nightly.json"),
                    Json.bytes(definition(graph, "[{\"type\": \"jsonl\"}, {\"type\": \"warc\"}]")));
            run("submit", "--file", file.toString(), "--keep", "1");
            fleet().awaitFinished(crawl);
            Path latest = fleet().out().resolve("latest/nightly");
            await().until(() -> Files.exists(latest) && latest.toRealPath().endsWith("nightly-1"));

            TrawlCommand.Said said = run("submit", "--file", file.toString(), "--keep", "1", "--fresh");
            assertThat(said.err()).contains("note: keep is about files of items and errors: warc keeps");
            fleet().awaitFinished(crawl);
            await().until(() -> latest.toRealPath().endsWith("nightly-2"));
            await().until(() -> !Files.exists(fleet().out().resolve("items/nightly-1")));
            assertThat(fleet().out().resolve("archive/nightly-1")).isNotEmptyDirectory();
            GraphChecks.output(graph, List.of(graph.url(0)), DEPTH, new Output(fleet().out(), "nightly-2"));
        }
    }

    @Test
    void aNightInWhichAHostIsDownReplacesNothing() throws Exception {
        CrawlId crawl = new CrawlId("half");
        try (FakeWeb web = FakeWeb.start(2)) {
            List<String> behind = List.of("/a", "/b", "/c");
            web.host(0).page("/", "<a href='" + web.host(1).url("/") + "'>the rest</a>");
            web.host(1).page("/", behind.stream().map(path -> "<a href='" + path + "'>more</a>")
                    .collect(Collectors.joining(" and ")));
            behind.forEach(path -> web.host(1).page(path, "<p>The text of " + path));
            Path file = Files.writeString(fleet().out().resolveSibling("half.yaml"), """
                    {seeds: ["%s"], scope: {domains: ["%s", "%s"]}, fetch: {delay: 0ms}, keep: 1}
                    """.formatted(web.host(0).url("/"), web.host(0).address(), web.host(1).address()));
            run("submit", "--file", file.toString());
            assertThat(fleet().awaitFinished(crawl).totals().pages()).isEqualTo(5);
            Path latest = fleet().out().resolve("latest/half");
            await().until(() -> Files.exists(latest) && latest.toRealPath().endsWith("half-1"));

            web.host(1).route("/", Behaviours.status(501));
            run("submit", "--file", file.toString(), "--fresh");
            assertThat(run(6, "wait", "half").out()).isEqualTo("crawl half/2 is finished and has failed\n");
            assertThat(run("status", "half").out())
                    .contains("half/2 has failed: it has 1 of the 5 pages of the last run, and 1 request failed");
            await().untilAsserted(() -> assertThat(run("events").out()).contains("finished and has failed, 1 page"));

            web.host(1).route("/", Behaviours.notFound());
            run("submit", "--file", file.toString(), "--fresh");
            fleet().awaitFinished(crawl);
            await().until(() -> latest.toRealPath().endsWith("half-3"));
            await().until(() -> !Files.exists(fleet().out().resolve("items/half-1"))
                    && !Files.exists(fleet().out().resolve("items/half-2")));
            assertThat(Files.readString(latest.resolve("_manifest.json"))).as("compared with the last good one")
                    .contains("\"since\":1");
        }
    }

    /** Without the names of the run. */
    private static List<JsonNode> alike(Map<String, JsonNode> items) {
        return items.values().stream().map(item -> (ObjectNode) item.deepCopy())
                .<JsonNode>map(item -> item.remove(List.of("id", "key", "crawl", "epoch"))).toList();
    }
}
