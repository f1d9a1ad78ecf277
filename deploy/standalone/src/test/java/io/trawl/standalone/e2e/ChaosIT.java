package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.definition.CrawlDefinition.Scope;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.definition.RefreshRules;
import io.trawl.coordinator.lifecycle.NewRun;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.Totals;
import io.trawl.model.CrawlId;
import io.trawl.standalone.e2e.ChaosFleet.Kind;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.KafkaCluster;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.Output;
import io.trawl.testkit.RandomScope;
import io.trawl.time.Time;
import io.trawl.testkit.RandomSeed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The promise itself: after any kill, every reachable page is in the output of each sink exactly once, the crawl
 * finishes, and no host was asked before its delay was over. {@code -Dtrawl.seed=N} gives another schedule, or repeats
 * one as far as timing allows; {@code -Dchaos.seconds=1800} runs longer, and {@code -Dchaos.refreshes=2} goes on while
 * the crawl is refreshed. With three brokers, {@code -Dchaos.brokers.seconds=600} does. The logs of all processes stay
 * in {@code target/chaos}.
 */
class ChaosIT {
    private static final CrawlId CRAWL = new CrawlId("chaos");
    private static final int HOSTS = 24;
    /** The scope leaves out a part of them. */
    private static final int PAGES_A_SECOND = 50;
    /** Patterns for the URLs of these graphs, and what they mean for path and query. */
    private static final Map<String, String> PATTERNS = Map.of("/folder/{3,4}/**", "/folder/[34]/.*",
            "re:[?&]id=[0-9]*[13579]&", "/find\\?id=[0-9]*[13579]&.*", "/n*/", "/n[^/]*/", "/n1**.html", "/n1.*\\.html",
            "/été/n2**", "/%C3%A9t%C3%A9/n2.*");
    private static final int DEPTH = 10;
    private static final int REFRESHES = Integer.getInteger("chaos.refreshes", 0);
    private static final Duration DELAY = Duration.ofMillis(500);
    /** Longer than the session of a group member on the embedded broker, and than a downloader's lease. */
    private static final Duration PAUSE = Duration.ofSeconds(7);
    private static final int KILLS_OF_BROKERS = 8;
    private static final Map<String, String> SETTINGS = Map.of("TRAWL_DOWNLOADER_BACK_OFF", "100ms", "TRAWL_GRACE",
            "10s", "TRAWL_DOWNLOADER_LEASE", "4s", "TRAWL_TOPICS_LEDGER_SNAPSHOT", "2000");
    private final Time time = Time.system();

    @Test
    void afterAnyKillTheOutputIsExactlyTheReachableSetAndTheCrawlIsFinished() throws Exception {
        long seed = RandomSeed.value();
        int seconds = Integer.getInteger("chaos.seconds", 12);
        Random random = new Random(seed);
        Path folder = folder(seed);
        try (FakeWeb web = FakeWeb.start(HOSTS); ChaosFleet fleet = new ChaosFleet(folder, 2, SETTINGS)) {
            LinkGraph graph = LinkGraph.serve(web, PAGES_A_SECOND * seconds, 4, seed);
            RandomScope scope = RandomScope.of(PATTERNS, false, random);
            int sleepers = crawl(fleet, graph, scope, () -> chaos(fleet, random, seconds, 0, fleet::killBroker));
            Totals totals = fleet.ask(client -> client.crawl(CRAWL).orElseThrow()).totals();
            System.out.println("passed: " + GraphChecks.cost(web) + "; " + totals);
            for (int i = 0; i < REFRESHES; i++) {
                fleet.ask(client -> client.define(CRAWL, definition(graph, scope), NewRun.REFRESH));
                sleepers += chaos(fleet, random, seconds, 0, fleet::killBroker);
                GraphChecks.unchanged(totals, awaitEnd(fleet).totals());
                System.out.println("refreshed " + (i + 1) + " times");
            }
            polite(web, sleepers);
        }
    }

    /**
     * One broker of three at a time is killed, and comes back between nothing and twice its session later: the crawl
     * does not wait for it.
     */
    @Test
    @Tag("nightly")
    void aKilledBrokerOfThreeHoldsTheCrawlForLittleMoreThanItsSession() throws Exception {
        long seed = RandomSeed.value();
        int seconds = Integer.getInteger("chaos.brokers.seconds", 120);
        Random random = new Random(seed);
        Path folder = folder(seed);
        List<Long> kills = new ArrayList<>();
        try (FakeWeb web = FakeWeb.start(HOSTS);
                KafkaCluster brokers = new KafkaCluster(folder, 3, Map.of());
                ChaosFleet fleet = new ChaosFleet(folder, 2, SETTINGS, Optional.of(brokers))) {
            LinkGraph graph = LinkGraph.serve(web, PAGES_A_SECOND * seconds, 4, seed);
            RandomScope scope = RandomScope.of(PATTERNS, false, random);
            int sleepers = crawl(fleet, graph, scope, () -> chaos(fleet, random, seconds, KILLS_OF_BROKERS, () -> {
                kills.add(time.nanos());
                int killed = brokers.kill(random);
                Duration away = Duration.ofMillis(random.nextLong(2 * KafkaCluster.SESSION.toMillis()));
                time.pause(away);
                brokers.restart(killed);
                return "killed broker " + killed + " for " + away;
            }));
            brokers.checkRunning();
            polite(web, sleepers);
            List<Duration> pauses = GraphChecks.pauses(web, kills);
            System.out.println(GraphChecks.cost(web) + "; pauses after " + kills.size()
                    + " kills of brokers, the longest first: " + pauses.subList(0, 2 * kills.size()));
            assertThat(pauses.getFirst()).as("the longest pause, from the kill on")
                    .isLessThan(KafkaCluster.SESSION.plusSeconds(10));
        }
    }

    private static Path folder(long seed) throws IOException {
        return Files.createTempDirectory(Files.createDirectories(Path.of("target", "chaos").toAbsolutePath()),
                seed + "-");
    }

    /** The whole crawl, of which each sink has all pages at the end. @return what the chaos returns */
    private static int crawl(ChaosFleet fleet, LinkGraph graph, RandomScope scope, Callable<Integer> chaos)
            throws Exception {
        System.out.println("scope: " + scope.json());
        CrawlSummary begun = fleet.ask(client -> client.define(CRAWL, definition(graph, scope), false));
        assertThat(begun.state()).isIn(CrawlState.STARTING, CrawlState.STARTED);
        int sleepers = chaos.call();
        CrawlSummary end = awaitEnd(fleet);
        fleet.checkRunning();
        assertThat(end.end()).map(End::reason).contains(EndReason.FINISHED);
        Output output = new Output(fleet.out(), CRAWL + "-1");
        GraphChecks.output(graph.reachable(List.of(graph.url(0)), DEPTH, graph.domains(), scope::admits), output);
        GraphChecks.accounted(end.totals(), output);
        SinkOutputs.equal(output, fleet.out(), fleet.bootstrapServers());
        return sleepers;
    }

    private static void polite(FakeWeb web, int sleepers) {
        assertThat(GraphChecks.tooEarly(web, DELAY))
                .as("a process that is stopped between its last look at its lease and the socket may send one request")
                .hasSizeLessThanOrEqualTo(sleepers);
    }

    private static CrawlDefinition definition(LinkGraph graph, RandomScope scope) {
        Scope rules = Json.read(scope.json().getBytes(StandardCharsets.UTF_8), Scope.class);
        return SinkOutputs.with(GraphChecks.definition(graph, DEPTH, DELAY.toMillis() + "ms").with(made -> made
                .scope(rules.withDomains(List.copyOf(graph.domains()))).refresh(Optional.of(RefreshRules.DEFAULT))));
    }

    /**
     * Kills, stops and wakes at random.
     *
     * @param more how many of {@code 10 + more} times a broker is killed in addition to one
     * @return how many downloaders were stopped and woken
     */
    private int chaos(ChaosFleet fleet, Random random, int seconds, int more, Callable<String> killBroker)
            throws Exception {
        long began = time.nanos();
        long end = began + Duration.ofSeconds(seconds).toNanos();
        int sleepers = 0;
        while (time.nanos() < end) {
            time.pause(Duration.ofMillis(1500 + random.nextInt(3500)));
            Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
            String done = switch (Math.max(0, random.nextInt(10 + more) - more)) {
                case 0 -> killBroker.call();
                case 1 -> fleet.killRedis();
                case 2, 3 -> {
                    Process paused = fleet.pause(kind, random);
                    time.pause(PAUSE);
                    fleet.wake(paused);
                    sleepers += kind == Kind.DOWNLOADER ? 1 : 0;
                    yield "paused " + kind + " " + paused.pid();
                }
                case 4, 5 -> fleet.terminate(kind, random);
                default -> fleet.kill(kind, random);
            };
            fleet.checkRunning();
            fleet.glance(client -> client.crawl(CRAWL)).flatMap(c -> c)
                    .ifPresent(crawl -> GraphChecks.conserved(crawl.totals()));
            System.out.println("chaos after " + Duration.ofNanos(time.nanos() - began).toSeconds() + " s: " + done);
        }
        return sleepers;
    }

    private static CrawlSummary awaitEnd(ChaosFleet fleet) {
        try {
            return Awaitility.await().pollInterval(Duration.ofSeconds(1)).until(() -> {
                fleet.checkRunning();
                return fleet.ask(client -> client.crawl(CRAWL).orElseThrow());
            }, crawl -> crawl.state() == CrawlState.STOPPED && crawl.end().isPresent());
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("no end:\n" + fleet.lastLines(), e);
        }
    }
}
