package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.e2e.ChaosFleet.Kind;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.Output;
import io.trawl.testkit.RandomSeed;
import io.trawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One crawl after the other in one deployment, each under faults in random order: kills, pauses, restarts, stop signs,
 * losses of the last records of all logs, cleared namespaces, and clocks two hours ahead (if libfaketime is there;
 * {@code -Dtrawl.faketime=required} fails without it). Each crawl ends with exactly the pages of its site, and no host
 * is asked too early. {@code -Dcampaign.seconds=1800} makes it half an hour; {@code -Dtrawl.seed=N} repeats the faults.
 */
@Tag("nightly")
class CampaignIT {
    private static final int HOSTS = 12;
    private static final int PAGES = 1000;
    private static final int DEPTH = 10;
    private static final Duration DELAY = Duration.ofMillis(200);
    /** Of the faults of one crawl. */
    private static final Duration ROUND = Duration.ofSeconds(20);
    /** Longer than the session of a group member on the embedded broker, and than a downloader's lease. */
    private static final Duration SLEEP = Duration.ofSeconds(7);
    private static final Duration LOST = Duration.ofSeconds(3);
    private final Time time = Time.system();
    private final Random random = new Random(RandomSeed.value());

    @Test
    void everyCrawlUnderFaultsOfAllKindsHasThePagesOfItsSiteAndAsksNoHostTooEarly() throws Exception {
        if (System.getProperty("trawl.faketime", "").equals("required")) {
            assertThat(ChaosFleet.FAKETIME).exists();
        }
        Path folder = Files.createTempDirectory(Files.createDirectories(Path.of("target", "campaign").toAbsolutePath()),
                RandomSeed.value() + "-");
        long end = time.nanos() + Duration.ofSeconds(Integer.getInteger("campaign.seconds", 60)).toNanos();
        try (ChaosFleet fleet = new ChaosFleet(folder, 2, Map.of("TRAWL_DOWNLOADER_BACK_OFF", "100ms", "TRAWL_GRACE",
                "10s", "TRAWL_LEASE", "4s", "TRAWL_DOWNLOADER_LEASE", "4s"))) {
            for (int number = 1; time.nanos() < end; number++) {
                try (FakeWeb web = FakeWeb.start(HOSTS)) {
                    new Round(fleet, web, new CrawlId("campaign-" + number)).run();
                }
            }
        }
    }

    /** One crawl. */
    private final class Round {
        private final ChaosFleet fleet;
        private final FakeWeb web;
        private final CrawlId crawl;
        private final LinkGraph graph;
        private boolean lost;
        /** Each may have sent one request after it woke, before it looked at its lease. */
        private int sleepers;

        Round(ChaosFleet fleet, FakeWeb web, CrawlId crawl) {
            this.fleet = fleet;
            this.web = web;
            this.crawl = crawl;
            this.graph = LinkGraph.serve(web, PAGES, 4, random.nextLong());
        }

        void run() throws Exception {
            define();
            long began = time.nanos();
            while (time.nanos() - began < ROUND.toNanos()) {
                time.pause(Duration.ofMillis(1000 + random.nextInt(3000)));
                System.out.println(crawl + " after " + Duration.ofNanos(time.nanos() - began).toSeconds() + " s: "
                        + fault(Kind.values()[random.nextInt(Kind.values().length)]));
                fleet.checkRunning();
            }
            CrawlSummary end = Awaitility.await().pollInterval(Duration.ofSeconds(1)).until(() -> {
                fleet.checkRunning();
                return fleet.ask(client -> client.crawl(crawl).orElseThrow());
            }, summary -> summary.state() == CrawlState.STOPPED && summary.end().isPresent());
            assertThat(end.end()).map(End::reason).contains(EndReason.FINISHED);
            Output output = new Output(fleet.out(), newest());
            if (lost) {
                GraphChecks.outputWithRepeats(graph, List.of(graph.url(0)), DEPTH, output);
                // What the ledger has lost of items, positions may count, and the other way round.
                GraphChecks.requestsConserved(end.totals());
                assertThat(end.totals().waiting()).isZero();
            } else {
                GraphChecks.output(graph, List.of(graph.url(0)), DEPTH, output);
                GraphChecks.accounted(end.totals(), output);
            }
            assertThat(GraphChecks.tooEarly(web, DELAY)).hasSizeLessThanOrEqualTo(sleepers);
            System.out.println(crawl + " passed: " + GraphChecks.cost(web) + "; " + end.totals());
        }

        private void define() {
            fleet.ask(client -> client.define(crawl, GraphChecks.definition(graph, DEPTH, DELAY.toMillis() + "ms"),
                    false));
        }

        private String fault(Kind kind) throws Exception {
            return switch (random.nextInt(12)) {
                case 0 -> fleet.killBroker();
                case 1 -> fleet.killRedis();
                case 2, 3 -> {
                    Process paused = fleet.pause(kind, random);
                    time.pause(SLEEP);
                    fleet.wake(paused);
                    sleepers += kind == Kind.DOWNLOADER ? 1 : 0;
                    yield "paused " + kind + " " + paused.pid();
                }
                case 4, 5 -> fleet.terminate(kind, random);
                case 6 -> stop();
                case 7 -> cut();
                case 8 -> clear();
                case 9 -> Files.exists(ChaosFleet.FAKETIME)
                        ? fleet.wrongClock(kind, SLEEP.multipliedBy(2))
                        : fleet.kill(kind, random);
                default -> fleet.kill(kind, random);
            };
        }

        /** The stop sign of the fleet, for a moment. */
        private String stop() throws InterruptedException {
            sign(true);
            time.pause(Duration.ofSeconds(2));
            sign(false);
            return "stopped all for a moment";
        }

        private void sign(boolean stop) {
            Awaitility.await().ignoreExceptions().until(() -> {
                try (Api api = new Api(fleet.coordinator())) {
                    return stop ? api.post("/api/v1/stop-sign") : api.delete("/api/v1/stop-sign");
                }
            }, _ -> true);
        }

        private String cut() throws IOException, InterruptedException {
            // A leader that leads, and looks at the logs each second: what is written while none does may be lost
            // unnoticed.
            define();
            Map<Path, Long> former = fleet.logs();
            time.pause(LOST);
            long before = losses();
            List<String> logs = fleet.cutLogs(former);
            lost |= !logs.isEmpty();
            // No fact is about these.
            if (logs.stream().anyMatch(log -> !log.matches("__.+|.+\\.(errors|snapshots|events|changes)-.+"))) {
                // Until then a coordinator may tell of an end that Kafka has lost.
                Awaitility.await("the loss of " + logs + " is noticed").until(() -> losses() > before);
            }
            define();
            return "killed the broker, and cut " + logs.size() + " logs";
        }

        private long losses() throws IOException {
            return fleet.printed().values().stream().flatMap(List::stream)
                    .filter(line -> line.contains("Kafka has lost records that it had acknowledged")).count();
        }

        private String clear() throws IOException, InterruptedException {
            String done = fleet.clear();
            define();
            return done;
        }

        /** After a cleared namespace a crawl has a folder beside its former one. */
        private String newest() throws IOException {
            try (Stream<Path> folders = Files.list(fleet.out().resolve("items"))) {
                return folders.filter(folder -> folder.getFileName().toString().matches(crawl + "-1(@.*)?"))
                        .max(Comparator.comparing(folder -> folder.toFile().lastModified())).orElseThrow().getFileName()
                        .toString();
            }
        }
    }
}
