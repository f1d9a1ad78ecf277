package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.codec.Json;
import io.trawl.control.CrawlDefinition;
import io.trawl.control.sink.SinkDefinition;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.ItemTotals;
import io.trawl.model.CrawlId;
import io.trawl.standalone.TrawlCommand;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.FreePort;
import io.trawl.testkit.LinkGraph;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A crawl with a sink whose server does not answer. */
class BehindSinkIT {
    private static final CrawlId DOCS = new CrawlId("docs");
    private static final int DEPTH = 4;
    @TempDir
    private Path temp;

    private static CrawlDefinition definition(LinkGraph graph) {
        return GraphChecks.definition(graph, DEPTH, "0ms").withSinks(List.of(Json.read("""
                [{"type": "jsonl"}, {"type": "csv", "fields": ["id", "url"]},
                 {"type": "opensearch", "name": "index", "types": ["page"], "settings": {"url": "http://127.0.0.1:%d"}}]"""
                .formatted(FreePort.find()).getBytes(StandardCharsets.UTF_8), SinkDefinition[].class)));
    }

    @Test
    void theCrawlNamesTheSinkAndEndsOnlyWhenItIsGivenUpWhichIsCounted() throws Exception {
        try (FakeWeb web = FakeWeb.start(3); OneJvmIT.Fleet fleet = new OneJvmIT.Fleet(temp.resolve("pages"))) {
            LinkGraph graph = LinkGraph.serve(web, 60, 4, 9);
            fleet.client().define(DOCS, definition(graph), false);
            int pages = graph.reachable(List.of(graph.url(0)), DEPTH).size();
            CrawlSummary waiting = await().until(() -> fleet.client().crawl(DOCS).orElseThrow(),
                    crawl -> crawl.notes().stream().anyMatch(note -> note.contains("the sink index is behind"))
                            && crawl.totals().items().filter(items -> items.waiting() > 0).isPresent()
                            && crawl.totals().waiting() == 0);
            assertThat(waiting.end()).as("it waits for the sink, whatever it has fetched").isEmpty();
            assertThat(pages).isGreaterThan(20);

            TrawlCommand.Said said = TrawlCommand.run("sink", "skip", "docs", "index", "--coordinator",
                    "http://" + fleet.coordinator().mid().address());
            assertThat(said.code()).as(said.err()).isZero();
            fleet.awaitFinished(DOCS);

            Output output = new Output(fleet.out(), "docs-1");
            GraphChecks.output(graph, List.of(graph.url(0)), DEPTH, output);
            ItemTotals items = fleet.client().crawl(DOCS).orElseThrow().totals().items().orElseThrow();
            assertThat(items.skipped()).isEqualTo(Map.of("index", (long) output.pages().size()));
            assertThat(items.sinks()).doesNotContainKey("index").containsKeys("jsonl", "csv");
            assertThat(items.waiting()).isZero();
        }
    }
}
