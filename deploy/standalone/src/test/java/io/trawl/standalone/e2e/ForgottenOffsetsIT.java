package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.analyzer.Analyzer;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.Coordinator;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.downloader.Downloader;
import io.trawl.model.CrawlId;
import io.trawl.module.StageState.Phase;
import io.trawl.pipeline.Pipeline;
import io.trawl.standalone.client.CoordinatorClient;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.LocalWorkers;
import io.trawl.worker.Worker;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A deployment stands still for longer than the broker keeps the offsets of groups without members. */
@Timeout(120)
class ForgottenOffsetsIT {
    private static final CrawlId CRAWL = new CrawlId("paused");
    private static final int PAGES = 400;
    private static final int DEPTH = 10;
    private static final Duration SOON = Duration.ofSeconds(60);
    @TempDir
    private Path out;
    private final LocalWorkers workers = new LocalWorkers();

    @AfterEach
    void stop() {
        workers.close();
    }

    @Test
    void aCrawlGoesOnWhereItWasAfterTheBrokerHasForgottenTheOffsetsOfAllGroups() throws Exception {
        KafkaFixture fixture = new KafkaFixture(Map.of("trawl.out", out.toString(), "trawl.allow-network", "127.0.0.0/8",
                "trawl.lease", "3s"));
        try (FakeWeb web = FakeWeb.start(8)) {
            LinkGraph graph = LinkGraph.serve(web, PAGES, 3, 31);
            try (CoordinatorClient client = start(fixture)) {
                client.define(CRAWL, definition(graph), false);
                await().atMost(SOON).until(() -> web.visits().size() > PAGES / 3);
            }
            workers.close();
            assertThat(new Output(out).pages()).isNotEmpty();
            try (Admin admin = fixture.kafka().admin()) {
                admin.deleteConsumerGroups(List.of(fixture.topics().coordinatorGroup(), fixture.topics().downloaderGroup(),
                        fixture.topics().analyzerGroup(), fixture.topics().pipelineGroup())).all().get();
            }
            try (CoordinatorClient client = start(fixture)) {
                await().atMost(SOON)
                        .until(() -> client.crawl(CRAWL).filter(c -> c.state() == CrawlState.STOPPED).isPresent());
                assertThat(client.crawl(CRAWL).flatMap(CrawlSummary::end)).map(End::reason).contains(EndReason.FINISHED);
                GraphChecks.output(graph, List.of(graph.url(0)), DEPTH, new Output(out));
            }
        }
    }

    private CoordinatorClient start(KafkaFixture fixture) throws InterruptedException {
        Worker coordinator = workers.start(fixture, Coordinator.factory());
        workers.start(fixture, Pipeline.factory());
        workers.start(fixture, Analyzer.factory());
        workers.start(fixture, Downloader.factory());
        await().atMost(SOON).until(() -> coordinator.stage().state() == Phase.LEADING);
        return new CoordinatorClient(URI.create("http://" + coordinator.mid().address()));
    }

    private static CrawlDefinition definition(LinkGraph graph) {
        return Json.read("""
                {"seeds": [{"url": "%s"}], "limits": {"depth": %d}, "fetch": {"delay": "60ms"}, "scope": {"domains": ["%s"]}}"""
                .formatted(graph.url(0), DEPTH, String.join("\",\"", graph.domains())).getBytes(StandardCharsets.UTF_8),
                CrawlDefinition.class);
    }
}
