package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.channel.TopicNames;
import io.trawl.control.Channels;
import io.trawl.coordinator.leader.QueueControl.MoveReport;
import io.trawl.coordinator.leader.QueueControl.QueueReport;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.FleetSummary;
import io.trawl.coordinator.summary.QueueSummary;
import io.trawl.ledger.DepthMode;
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
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What waits is moved to other priorities while downloaders fetch it, and the number of priorities changes after that.
 */
class MovedRequestsIT {
    private static final CrawlId CRAWL = new CrawlId("moved");
    private static final int HOSTS = 8;
    private static final int DEPTH = DepthMode.LARGEST_EXACT_LIMIT;
    /** All seeds wait at once, and nearly all of them wait until the orders are carried out, however slow that is. */
    private static final int SEEDS = 320;
    private static final Duration DELAY = Duration.ofSeconds(10);
    /** After the orders. */
    private static final Duration SHORT_DELAY = Duration.ofMillis(50);
    /** Of a crawl that names none. */
    private static final int OWN = 1;
    @TempDir
    private Path out;

    @Test
    void whatIsMovedWaitsWhereTheLedgerSaysThroughOtherNumbersOfPrioritiesAndIsStoredOnce() throws Exception {
        try (FakeWeb web = FakeWeb.start(HOSTS);
                OneJvmFleet fleet = new OneJvmFleet(out);
                Api api = new Api(fleet.address())) {
            LinkGraph graph = LinkGraph.serve(web, 600, 4, 23);
            List<String> seeds = IntStream.range(0, SEEDS).mapToObj(graph::url).toList();
            fleet.client().define(CRAWL, GraphChecks.definition(graph, seeds, DEPTH, DELAY.toMillis() + "ms"), false);
            await().until(() -> waiting(api).getOrDefault(OWN, 0L) > SEEDS / 2);

            MoveReport up = move(api, "/**", 2);
            assertThat(up.moved()).isGreaterThan(SEEDS / 4);
            assertThat(waiting(api).getOrDefault(2, 0L)).as("what was moved and is not fetched yet").isPositive();
            resize(api, 2);
            // Where they wait now must not depend on how many priorities there are later.
            resize(api, 3);
            await("nothing waits at the priority that was gone")
                    .untilAsserted(() -> assertThat(waiting(api).getOrDefault(2, 0L)).isZero());
            assertThat(waiting(api).getOrDefault(OWN, 0L)).isPositive();
            MoveReport down = move(api, "/**", 0);
            assertThat(down.moved()).isPositive();
            assertThat(api.get(path()).as(QueueReport.class).moves()).extracting(MoveReport::overtaken)
                    .as("the topics were replaced after the first order").containsExactly(true, false);
            await("only the last topics are left").until(() -> generations(fleet.fixture()),
                    List.of(Channels.FIRST_GENERATION + 2)::equals);

            assertThat(GraphChecks.tooEarly(web, DELAY)).isEmpty();
            api.patch("/api/v1/crawls/" + CRAWL, Map.of("fetch", Map.of("delay", SHORT_DELAY.toMillis() + "ms")));
            CrawlSummary end = fleet.awaitFinished(CRAWL);
            GraphChecks.output(graph, seeds, DEPTH, new Output(out));
            GraphChecks.accounted(end.totals(), new Output(out));
            assertThat(waiting(api).values()).allMatch(n -> n == 0);
            assertThat(GraphChecks.tooEarly(web, SHORT_DELAY)).isEmpty();
        }
    }

    private static String path() {
        return "/api/v1/crawls/" + CRAWL + "/moves";
    }

    /** Gives an order and waits until it is done. */
    private static MoveReport move(Api api, String match, int to) throws InterruptedException {
        api.post(path(), Map.of("match", match, "to", to));
        return await().until(() -> api.get(path()).as(QueueReport.class).moves().getLast(), MoveReport::complete);
    }

    private static Map<Integer, Long> waiting(Api api) throws InterruptedException {
        Map<Integer, Long> waiting = new TreeMap<>();
        api.get("/api/v1/queue").as(QueueSummary.class).levels()
                .forEach(level -> waiting.put(level.priority(), level.waiting()));
        return waiting;
    }

    private static List<Integer> generations(KafkaFixture fixture) throws Exception {
        TopicNames names = fixture.topics();
        try (Admin admin = fixture.kafka().admin()) {
            return admin.listTopics().names().get().stream().filter(names::isRequests).map(names::generation).distinct()
                    .toList();
        }
    }

    private static void resize(Api api, int levels) throws InterruptedException {
        api.post("/api/v1/queue/resize", Map.of("levels", levels));
        await().until(() -> api.get("/api/v1/summary").as(FleetSummary.class).channels().orElseThrow(),
                now -> now.levels() == levels && now.replaced().isEmpty());
    }
}
