package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.control.CrawlState;
import io.trawl.coordinator.feed.CrawlEvent;
import io.trawl.coordinator.summary.FleetSummary;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Api;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.Output;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An operator's script deletes a topic between two crawls. */
class DeletedTopicIT {
    private static final int DEPTH = 4;
    /** No fact rests on them. */
    private static final List<String> FOR_PEOPLE = List.of("errors", "events", "changes", "snapshots");
    private static final Duration NOTED = Duration.ofSeconds(15);
    @TempDir
    private Path temp;

    @ParameterizedTest
    @ValueSource(strings = {"items", "events"})
    void aDeletedTopicIsANoteAndTheNextCrawlIsStored(String name) throws Exception {
        KafkaFixture fixture = new KafkaFixture(OneJvmFleet.settings(temp, Map.of()));
        String topic = fixture.topics().namespace() + name;
        try (FakeWeb web = FakeWeb.start(4);
                OneJvmFleet fleet = new OneJvmFleet(temp, fixture);
                Api api = new Api(fleet.address())) {
            LinkGraph graph = LinkGraph.serve(web, 40, 3, 5);
            // The leader has seen no record in it: what was written since its last look would be lost without a word.
            String whileEmpty = delete(topic, fixture, api, "none");
            CrawlId before = new CrawlId("before");
            define(fleet, before, graph);
            await().ignoreExceptions().until(() -> fleet.client().crawl(before).orElseThrow().end().isPresent());
            delete(topic, fixture, api, whileEmpty);
            CrawlId after = new CrawlId("after");
            define(fleet, after, graph);
            await().ignoreExceptions().until(() -> fleet.client().crawl(after).orElseThrow().end().isPresent());
            GraphChecks.output(graph, List.of(graph.url(0)), DEPTH, new Output(temp, after + "-1"));
            assertThat(fleet.client().crawl(after).orElseThrow().totals().items().waiting()).isZero();
            await().untilAsserted(() -> assertThat(api.get("/api/v1/events?crawl=" + after).as(CrawlEvent[].class))
                    .extracting(CrawlEvent::state).contains(CrawlState.STARTED, CrawlState.STOPPED));
            assertThat(fleet.ended()).isEmpty();
        }
    }

    /** The law of conservation, which each test is to hold, is of the ledger: {@link KafkaLossIT} cuts that. */
    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(strings = {"errors", "changes", "snapshots", "visits", "positions", "requests.g1.p0", "seeds"})
    void soIsADeletedTopicOfEachOtherKind(String name) throws Exception {
        aDeletedTopicIsANoteAndTheNextCrawlIsStored(name);
    }

    /** After a loss all processes start again, and for a while none of them leads. */
    private static void define(OneJvmFleet fleet, CrawlId crawl, LinkGraph graph) {
        await().ignoreExceptions().until(() -> {
            fleet.client().define(crawl, GraphChecks.definition(graph, DEPTH, "0ms"), false);
            return true;
        });
    }

    /** @return the note of it with its time, which is another than that of before */
    private static String delete(String topic, KafkaFixture fixture, Api api, String before) throws Exception {
        try (Admin admin = fixture.kafka().admin()) {
            admin.deleteTopics(List.of(topic)).all().get();
        }
        String said = FOR_PEOPLE.stream().anyMatch(topic::endsWith)
                ? "are made again: " + topic
                : "Kafka has lost records of " + topic;
        return await().atMost(NOTED).ignoreExceptions()
                .until(() -> api.get("/api/v1/summary").as(FleetSummary.class).notes().stream()
                        .filter(note -> note.contains(said)).map(note -> note.replaceFirst(": pages may .*", ""))
                        .filter(note -> !note.equals(before)).findAny().orElse(""), note -> !note.isEmpty());
    }
}
