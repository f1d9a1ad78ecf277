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
            CrawlId before = new CrawlId("before");
            fleet.client().define(before, GraphChecks.definition(graph, DEPTH, "0ms"), false);
            fleet.awaitFinished(before);
            try (Admin admin = fixture.kafka().admin()) {
                admin.deleteTopics(List.of(fixture.topics().items())).all().get();
            }
            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(api.get("/api/v1/summary").as(FleetSummary.class).notes())
                            .anySatisfy(note -> assertThat(note)
                                    .startsWith("Kafka has lost records of " + fixture.topics().items())));
            CrawlId after = new CrawlId("after");
            await().ignoreExceptions().until(() -> {
                fleet.client().define(after, GraphChecks.definition(graph, DEPTH, "0ms"), false);
                return true;
            });
            await().ignoreExceptions().until(() -> fleet.client().crawl(after).orElseThrow().end().isPresent());
            GraphChecks.output(graph, List.of(graph.url(0)), DEPTH, new Output(temp, after + "-1"));
            assertThat(fleet.client().crawl(after).orElseThrow().totals().items().waiting()).isZero();
            assertThat(fleet.ended()).isEmpty();
        }
    }
}
