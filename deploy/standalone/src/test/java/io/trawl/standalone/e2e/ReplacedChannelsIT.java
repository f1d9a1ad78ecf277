package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.control.Channels;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.FleetSummary;
import io.trawl.coordinator.summary.QueueSummary;
import io.trawl.ledger.DepthMode;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiRefusal;
import io.trawl.standalone.client.CoordinatorUnavailableException;
import io.trawl.standalone.e2e.ChaosFleet.Kind;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.LinkGraph;
import io.trawl.time.Time;
import io.trawl.testkit.Output;
import io.trawl.testkit.RandomSeed;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The request topics are replaced under a running crawl, again and again, items, responses and the ledger get other
 * numbers of partitions, and what waits is moved to other priorities, while processes are killed at random moments. For
 * longer: {@code -Dreplacements=30 -Dtrawl.seed=1}.
 */
@Timeout(1800)
class ReplacedChannelsIT {
    private static final CrawlId CRAWL = new CrawlId("moved");
    private static final int HOSTS = 25;
    private static final int DEPTH = DepthMode.LARGEST_EXACT_LIMIT;
    private static final Duration DELAY = Duration.ofMillis(300);
    /** Up and down, and up again. */
    private static final List<Map<String, Integer>> COUNTS = List.of(Map.of("partitions", 32, "items", 9, "ledger", 5),
            Map.of("responses", 12), Map.of("partitions", 4, "levels", 5, "items", 2),
            Map.of("responses", 3, "items", 12, "ledger", 2), Map.of("partitions", 12, "levels", 2, "items", 1));
    private final Time time = Time.system();

    @Test
    void whoeverIsKilledWhileTheRequestTopicsAreReplacedTheOutputTheEndAndPolitenessAreExact() throws Exception {
        int replacements = Integer.getInteger("replacements", 2);
        Random random = new Random(RandomSeed.value());
        Path folder = Path.of("target", "replaced", Long.toString(time.nanos())).toAbsolutePath();
        try (FakeWeb web = FakeWeb.start(HOSTS);
                ChaosFleet fleet = new ChaosFleet(folder, 2, Map.of("TRAWL_DOWNLOADER_BACK_OFF", "100ms", "TRAWL_GRACE",
                        "10s", "TRAWL_DOWNLOADER_LEASE", "4s"))) {
            LinkGraph graph = LinkGraph.serve(web, 400 * replacements, 4, 17);
            fleet.ask(client -> client.define(CRAWL, GraphChecks.definition(graph, DEPTH, DELAY.toMillis() + "ms"),
                    false));
            await().until(() -> web.visits().size() > HOSTS);
            Set<String> lines = new HashSet<>();
            int sleepers = 0;
            int kills = 0;
            for (int i = 0; i < replacements; i++) {
                Map<String, Integer> counts = COUNTS.get(i % COUNTS.size());
                List<Process> asleep = i % 3 == 0
                        ? List.of(fleet.pause(Kind.DOWNLOADER, random), fleet.pause(Kind.ANALYZER, random))
                        : List.of();
                moves(fleet, random.nextInt(3));
                long version = resize(fleet, counts);
                if (i == 0) {
                    refusesAnother(fleet);
                }
                time.pause(Duration.ofMillis(random.nextInt(2500)));
                String done = asleep.isEmpty() ? kill(fleet, kills++, random) : "asleep " + asleep;
                System.out.println("version " + version + " " + counts + ": " + done);
                Channels now = await().pollInterval(Duration.ofMillis(100)).until(() -> {
                    fleet.glance(client -> queue(fleet)).map(QueueSummary::line).ifPresent(lines::add);
                    return fleet.glance(client -> channels(fleet));
                }, answer -> answer.filter(channels -> channels.version() > version && channels.replaced().isEmpty()
                        && !channels.responseLayout().changing()).isPresent()).orElseThrow();
                counts.forEach((name,
                        count) -> assertThat(Map.of("levels", now.levels(), "partitions", now.partitions(), "items",
                                now.items(), "responses", now.responses(), "ledger", now.ledger()))
                                .containsEntry(name, count));
                for (Process sleeper : asleep) {
                    fleet.wake(sleeper);
                }
                sleepers += asleep.isEmpty() ? 0 : 1;
                System.out.println(now.replacement() + " " + now.responseLayout());
            }
            CrawlSummary end = await().pollInterval(Duration.ofMillis(500)).until(
                    () -> fleet.ask(client -> client.crawl(CRAWL).orElseThrow()),
                    crawl -> crawl.state() == CrawlState.STOPPED && crawl.end().isPresent());
            fleet.checkRunning();
            assertThat(end.end()).map(End::reason).contains(EndReason.FINISHED);
            GraphChecks.output(graph, List.of(graph.url(0)), DEPTH, new Output(fleet.out(), CRAWL + "-1"));
            GraphChecks.accounted(end.totals(), new Output(fleet.out(), CRAWL + "-1"));
            assertThat(fleet.ask(client -> queue(fleet)).levels()).as("waiting by the ledger")
                    .allMatch(level -> level.waiting() == 0);
            System.out.println(GraphChecks.cost(web) + "; " + lines);
            assertThat(GraphChecks.tooEarly(web, DELAY)).as(
                    "a process that is stopped between its last look at its lease and the socket may send one request")
                    .hasSizeLessThanOrEqualTo(sleepers);
        }
    }

    private static String kill(ChaosFleet fleet, int kills, Random random) throws IOException, InterruptedException {
        return switch (kills % 6) {
            case 0 -> fleet.kill(Kind.COORDINATOR, random);
            case 1 -> fleet.kill(Kind.ANALYZER, random);
            case 2 -> fleet.killBroker();
            case 3 -> fleet.kill(Kind.DOWNLOADER, random);
            case 4 -> fleet.killRedis();
            default -> fleet.kill(Kind.PIPELINE, random);
        };
    }

    /** Orders that some of what waits goes to a priority that there is at any time or may be gone later. */
    private static void moves(ChaosFleet fleet, int to) {
        int priority = Math.min(to, fleet.ask(client -> channels(fleet)).levels() - 1);
        await().until(() -> post(fleet, "/api/v1/crawls/" + CRAWL + "/moves",
                Map.of("match", priority == 0 ? "/folder/**" : "/**", "to", priority)));
    }

    /** @return the version of the channels before */
    private static long resize(ChaosFleet fleet, Map<String, Integer> counts) {
        long before = fleet.ask(client -> channels(fleet)).version();
        await().until(() -> post(fleet, "/api/v1/queue/resize", counts));
        return before;
    }

    /** False if no coordinator leads now. */
    private static boolean post(ChaosFleet fleet, String path, Map<String, ?> body) throws InterruptedException {
        try (Api api = new Api(fleet.coordinator())) {
            api.post(path, body);
            return true;
        } catch (CoordinatorUnavailableException e) {
            return false;
        }
    }

    private static void refusesAnother(ChaosFleet fleet) throws InterruptedException {
        try (Api api = new Api(fleet.coordinator())) {
            api.post("/api/v1/queue/resize", Map.of("partitions", 7));
            assertThat(true).as("the first is done, or the second is refused").isFalse();
        } catch (ApiRefusal e) {
            assertThat(e.getMessage()).contains("are still being replaced");
        } catch (CoordinatorUnavailableException e) {
            // A term begins.
        }
    }

    private static Channels channels(ChaosFleet fleet) throws InterruptedException {
        try (Api api = new Api(fleet.coordinator())) {
            return api.get("/api/v1/summary").as(FleetSummary.class).channels().orElseThrow();
        }
    }

    private static QueueSummary queue(ChaosFleet fleet) throws InterruptedException {
        try (Api api = new Api(fleet.coordinator())) {
            return api.get("/api/v1/queue").as(QueueSummary.class);
        }
    }
}
