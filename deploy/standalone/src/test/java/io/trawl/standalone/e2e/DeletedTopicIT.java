package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.coordinator.summary.FleetSummary;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Api;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.Output;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator's script deletes a topic between two crawls. */
class DeletedTopicIT {
    private static final int DEPTH = 4;
    @TempDir
    private Path temp;

    @Test
    void aDeletedTopicIsANoteAndTheNextCrawlIsStored() throws Exception {
        KafkaFixture fixture = new KafkaFixture(OneJvmFleet.settings(temp, Map.of()));
        try (FakeWeb web = FakeWeb.start(4);
                OneJvmFleet fleet = new OneJvmFleet(temp, fixture);
                Api api = new Api(fleet.address())) {
            LinkGraph graph = LinkGraph.serve(web, 40, 3, 5);
            // The leader has seen no record in it: what was written since its last look would be lost without a word.
            String whileEmpty = deleteItems(fixture, api, "none");
            CrawlId before = new CrawlId("before");
            define(fleet, before, graph);
            await().ignoreExceptions().until(() -> fleet.client().crawl(before).orElseThrow().end().isPresent());
            deleteItems(fixture, api, whileEmpty);
            CrawlId after = new CrawlId("after");
            define(fleet, after, graph);
            await().ignoreExceptions().until(() -> fleet.client().crawl(after).orElseThrow().end().isPresent());
            GraphChecks.output(graph, List.of(graph.url(0)), DEPTH, new Output(temp, after + "-1"));
            assertThat(fleet.client().crawl(after).orElseThrow().totals().items().waiting()).isZero();
            assertThat(fleet.ended()).isEmpty();
        }
    }

    /** After a loss all processes start again, and for a while none of them leads. */
    private static void define(OneJvmFleet fleet, CrawlId crawl, LinkGraph graph) {
        await().ignoreExceptions().until(() -> {
            fleet.client().define(crawl, GraphChecks.definition(graph, DEPTH, "0ms"), false);
            return true;
        });
    }

    /** @return the note of it with its time, which is another than that of before */
    private static String deleteItems(KafkaFixture fixture, Api api, String before) throws Exception {
        String items = fixture.topics().items();
        try (Admin admin = fixture.kafka().admin()) {
            admin.deleteTopics(List.of(items)).all().get();
        }
        return await().ignoreExceptions()
                .until(() -> api.get("/api/v1/summary").as(FleetSummary.class).notes().stream()
                        .filter(note -> note.startsWith("Kafka has lost records of " + items))
                        .map(note -> note.substring(0, note.indexOf(": "))).filter(note -> !note.equals(before))
                        .findAny().orElse(""), note -> !note.isEmpty());
    }
}
