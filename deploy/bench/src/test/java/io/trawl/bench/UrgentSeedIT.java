package io.trawl.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.analyzer.Analyzer;
import io.trawl.bench.fleet.Deployment;
import io.trawl.bench.fleet.SeedsClient;
import io.trawl.bench.load.Backlog;
import io.trawl.bench.load.Share;
import io.trawl.bench.report.Quantiles;
import io.trawl.bench.run.UrgentSeeds;
import io.trawl.bench.web.Loopback;
import io.trawl.bench.web.LoopbackWeb;
import io.trawl.bench.web.SlowWeb;
import io.trawl.control.CrawlDefinition;
import io.trawl.coordinator.Coordinator;
import io.trawl.downloader.Downloader;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.Seed;
import io.trawl.pipeline.Pipeline;
import io.trawl.standalone.CoordinatorClient;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.LocalWorkers;
import io.trawl.time.Time;
import io.trawl.worker.Worker;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An urgent seed is being downloaded within two seconds although hundreds of thousands of requests wait and all slots are busy (S1). */
@Timeout(300)
class UrgentSeedIT {
    private static final Time TIME = Time.system();
    private static final CrawlId CRAWL = new CrawlId("urgent");
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final int HIGHEST = 2;
    private static final int SEEDS = 40;
    private static final int SLOTS = 64;
    /** One host with half of everything, and many with some. */
    private static final Backlog WAITING = new Backlog(List.of(new Share(1, 100_000, 0), new Share(2_000, 50, 0)), true);
    @TempDir
    private Path out;
    private final LocalWorkers workers = new LocalWorkers();

    @AfterEach
    void stop() {
        workers.close();
    }

    @Test
    void anUrgentSeedIsBeingDownloadedWithinTwoSecondsWhileTwoHundredThousandWait() throws InterruptedException {
        KafkaFixture fixture = new KafkaFixture(Map.of("trawl.out", out.toString(), "trawl.allow-network", "127.0.0.0/8",
                "trawl.downloader.pending", "400000", "trawl.downloader.concurrency", Integer.toString(SLOTS)));
        Worker leader = workers.start(fixture, Coordinator.factory());
        URI coordinator = URI.create("http://" + leader.mid().address());
        SlowWeb pages = new SlowWeb(WAITING.hosts(), Duration.ofSeconds(5), TIME::nanos);
        try (LoopbackWeb web = LoopbackWeb.start(0, pages, TIME);
                CoordinatorClient client = new CoordinatorClient(coordinator);
                SeedsClient seeds = new SeedsClient(coordinator)) {
            await().atMost(SOON).until(() -> leader.stage().state().equals("leading"));
            CrawlRun run = client.define(CRAWL, definition(web), false).run();
            new Deployment(fixture.settings(), TIME).load(run, WAITING, web.port(), false, loaded -> {});
            workers.start(fixture, Pipeline.factory());
            workers.start(fixture, Analyzer.factory());
            Worker downloader = workers.start(fixture, Downloader.factory());
            // Some are answered before the last one has been read.
            await().atMost(SOON).until(() -> pending(downloader) + pages.visits() >= WAITING.requests());
            await().atMost(SOON).until(() -> pages.visits() > SLOTS);

            Quantiles times = new UrgentSeeds(seeds, CRAWL, HIGHEST, web, pages, TIME).submit(WAITING.hosts(), SEEDS);

            assertThat(times.size()).isEqualTo(SEEDS);
            assertThat(Duration.ofNanos(times.at(0.99))).as("p99, median %d ms", TimeUnit.NANOSECONDS.toMillis(times.at(0.5)))
                    .isLessThanOrEqualTo(Duration.ofSeconds(2));
            assertThat(pending(downloader)).as("still waiting").isGreaterThan(WAITING.requests() * 9 / 10);
        }
    }

    /** Its one seed waits with the others, so its domain counts, too: a crawl without any request would be finished before the load. */
    private static CrawlDefinition definition(LoopbackWeb web) {
        return CrawlDefinition.of(List.of(Seed.of(CRAWL, web.url(0, "/seed.html"), Optional.of(0))))
                .withDomains(IntStream.concat(IntStream.of(0), IntStream.range(WAITING.hosts(), WAITING.hosts() + SEEDS))
                        .mapToObj(Loopback::address).toList())
                .withDepth(0).withDelay(Duration.ofSeconds(1)).withPriority(0);
    }

    private static long pending(Worker downloader) {
        Map<?, ?> levels = (Map<?, ?>) downloader.summary().extra().getOrDefault("pendingByPriority", Map.of());
        return levels.values().stream().mapToLong(n -> ((Number) n).longValue()).sum();
    }
}
