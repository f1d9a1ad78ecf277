package io.trawl.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.analyzer.Analyzer;
import io.trawl.bench.fleet.RequestLoad;
import io.trawl.bench.run.Quantiles;
import io.trawl.bench.run.SeedLatency;
import io.trawl.bench.web.SlowWeb;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlDefinition.CrawlLimits;
import io.trawl.definition.CrawlDefinition.FetchRules;
import io.trawl.definition.CrawlDefinition.Scope;
import io.trawl.coordinator.Coordinator;
import io.trawl.downloader.Downloader;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.Seed;
import io.trawl.module.StageState.Phase;
import io.trawl.pipeline.Pipeline;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorClient;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.LocalWorkers;
import io.trawl.testkit.web.BacklogPlan;
import io.trawl.testkit.web.BacklogShare;
import io.trawl.testkit.web.Loopback;
import io.trawl.testkit.web.LoopbackWeb;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A downloader starts to fetch an urgent seed within two seconds although tens of thousands of requests wait and all
 * slots are busy (S1); {@code -Durgent.waiting=200000} for more of them.
 */
@Tag("nightly")
class UrgentSeedIT {
    private static final Time TIME = Time.system();
    private static final CrawlId CRAWL = new CrawlId("urgent");
    private static final int HIGHEST = 2;
    private static final int SEEDS = 40;
    private static final int SLOTS = 64;
    private static final int REQUESTS = Integer.getInteger("urgent.waiting", 40_000);
    /** A host counts as a hundred requests, and those of the lowest priority pause at two thirds. */
    private static final int INDEXED = 4 * REQUESTS;
    /** One host with half of the requests, and many hosts with a few. */
    private static final BacklogPlan WAITING = new BacklogPlan(
            List.of(new BacklogShare(1, REQUESTS / 2, 0), new BacklogShare(REQUESTS / 100, 50, 0)), true);
    @TempDir
    private Path out;
    private final LocalWorkers workers = new LocalWorkers();

    @AfterEach
    void stop() {
        workers.close();
    }

    @Test
    void anUrgentSeedIsFetchedWithinTwoSecondsWhileTensOfThousandsOfRequestsWait() throws InterruptedException {
        KafkaFixture fixture = new KafkaFixture(
                Map.of("trawl.out", out.toString(), "trawl.allow-network", "127.0.0.0/8", "trawl.downloader.pending",
                        Integer.toString(INDEXED), "trawl.downloader.concurrency", Integer.toString(SLOTS)));
        Worker leader = workers.start(fixture, Coordinator.factory());
        URI coordinator = URI.create("http://" + leader.mid().address());
        SlowWeb pages = new SlowWeb(WAITING.hosts(), Duration.ofSeconds(5), TIME::nanos);
        try (LoopbackWeb web = LoopbackWeb.start(0, pages, TIME);
                CoordinatorClient client = new CoordinatorClient(coordinator);
                Api seeds = new Api(coordinator)) {
            await().until(() -> leader.stage().state() == Phase.LEADING);
            CrawlRun run = client.define(CRAWL, definition(web), false).run();
            RequestLoad.write(fixture.settings(), TIME, run, new RequestLoad.LoadedBacklog(WAITING, web.port(), false));
            workers.start(fixture, Pipeline.factory());
            workers.start(fixture, Analyzer.factory());
            Worker downloader = workers.start(fixture, Downloader.factory());
            // Some requests are answered before the last one is read.
            await().until(() -> pending(downloader) + pages.visits() >= WAITING.requests());
            await().until(() -> pages.visits() > SLOTS);

            Quantiles times = new SeedLatency(seeds, CRAWL, HIGHEST, web, pages, TIME).submit(WAITING.hosts(), SEEDS);

            assertThat(times.size()).isEqualTo(SEEDS);
            assertThat(Duration.ofNanos(times.at(0.99)))
                    .as("p99, median %d ms", TimeUnit.NANOSECONDS.toMillis(times.at(0.5)))
                    .isLessThanOrEqualTo(Duration.ofSeconds(2));
            assertThat(pending(downloader)).as("still waiting").isGreaterThan(WAITING.requests() * 9 / 10);
        }
    }

    /** The crawl has one seed of its own, because a crawl without requests would finish before the load. */
    private static CrawlDefinition definition(LoopbackWeb web) {
        IntStream hosts = IntStream.concat(IntStream.of(0), IntStream.range(WAITING.hosts(), WAITING.hosts() + SEEDS));
        return CrawlDefinition.of(List.of(Seed.of(CRAWL, web.url(0, "/seed.html"), Optional.of(0))))
                .with(crawl -> crawl.scope(Scope.DEFAULT.withDomains(hosts.mapToObj(Loopback::address).toList()))
                        .limits(CrawlLimits.DEFAULT.withDepth(0))
                        .fetch(FetchRules.DEFAULT.withDelay(Duration.ofSeconds(1))).priority(0));
    }

    private static long pending(Worker downloader) {
        Map<?, ?> levels = (Map<?, ?>) downloader.summary().extra().getOrDefault("pendingByPriority", Map.of());
        return levels.values().stream().mapToLong(n -> ((Number) n).longValue()).sum();
    }
}
