package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.model.CrawlId;
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

/** A deployment stands still for longer than the broker keeps the offsets of groups without members. */
class ForgottenOffsetsIT {
    private static final CrawlId CRAWL = new CrawlId("paused");
    private static final int PAGES = 400;
    private static final int DEPTH = 10;
    @TempDir
    private Path out;

    @Test
    void aCrawlGoesOnWhereItWasAfterTheBrokerHasForgottenTheOffsetsOfAllGroups() throws Exception {
        KafkaFixture fixture = new KafkaFixture(OneJvmFleet.settings(out, Map.of()));
        try (FakeWeb web = FakeWeb.start(8)) {
            LinkGraph graph = LinkGraph.serve(web, PAGES, 3, 31);
            try (OneJvmFleet fleet = new OneJvmFleet(out, fixture)) {
                fleet.client().define(CRAWL, GraphChecks.definition(graph, DEPTH, "60ms"), false);
                await().until(() -> web.visits().size() > PAGES / 3);
            }
            assertThat(new Output(out).pages()).isNotEmpty();
            try (Admin admin = fixture.kafka().admin()) {
                admin.deleteConsumerGroups(
                        List.of(fixture.topics().coordinatorGroup(), fixture.topics().downloaderGroup(),
                                fixture.topics().analyzerGroup(), fixture.topics().pipelineGroup()))
                        .all().get();
            }
            try (OneJvmFleet fleet = new OneJvmFleet(out, fixture)) {
                fleet.awaitFinished(CRAWL);
                GraphChecks.output(graph, List.of(graph.url(0)), DEPTH, new Output(out));
            }
        }
    }
}
