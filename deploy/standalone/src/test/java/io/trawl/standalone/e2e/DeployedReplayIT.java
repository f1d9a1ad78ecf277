package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trawl.codec.Json;
import io.trawl.control.CrawlDefinition;
import io.trawl.control.sink.SinkDefinition;
import io.trawl.model.CrawlId;
import io.trawl.standalone.TrawlCommand;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.LinkGraph;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running deployment that analyzes the archive of one of its crawls again. */
class DeployedReplayIT {
    private static final int DEPTH = 4;
    @TempDir
    private Path temp;

    @Test
    void aCrawlWhoseSeedsAreAnArchiveGivesTheItemsOfTheCrawlAndSendsNoRequest() throws Exception {
        try (FakeWeb web = FakeWeb.start(3);
                OneJvmIT.Fleet fleet = new OneJvmIT.Fleet(temp.resolve("pages"),
                        Map.of("trawl.downloader.archives", temp.resolve("pages/archive").toString()))) {
            LinkGraph graph = LinkGraph.serve(web, 80, 4, 5);
            CrawlDefinition docs = GraphChecks.definition(graph, DEPTH, "0ms").withSinks(List.of(Json.read(
                    "[{\"type\": \"jsonl\"}, {\"type\": \"warc\"}]".getBytes(StandardCharsets.UTF_8), SinkDefinition[].class)));
            fleet.client().define(new CrawlId("docs"), docs, false);
            fleet.awaitFinished(new CrawlId("docs"));
            web.forgetVisits();

            Path file = Files.write(temp.resolve("docs.json"), Json.bytes(docs));
            TrawlCommand.Said said = TrawlCommand.run("submit", "--coordinator",
                    "http://" + fleet.coordinator().mid().address(), "--file", file.toString(), "--replay",
                    temp.resolve("pages/archive/docs-1").toString());
            assertThat(said.code()).as(said.err()).isZero();
            assertThat(said.out()).contains("submitted to crawl docs-replay, which is started");
            fleet.awaitFinished(new CrawlId("docs-replay"));

            assertThat(web.visits()).isEmpty();
            Output crawled = new Output(fleet.out(), "docs-1");
            Output again = new Output(fleet.out(), "docs-replay-1");
            GraphChecks.output(graph, List.of(graph.url(0)), DEPTH, again);
            assertThat(alike(again.pages())).isEqualTo(alike(crawled.pages()));
            assertThat(alike(again.errors())).isEqualTo(alike(crawled.errors()));
        }
    }

    /** Without the names of the run. */
    private static List<JsonNode> alike(Map<String, JsonNode> items) {
        return items.values().stream().map(item -> (ObjectNode) item.deepCopy())
                .<JsonNode>map(item -> item.remove(List.of("id", "crawl", "epoch"))).toList();
    }
}
