package io.trawl.bench.run;

import io.trawl.bench.fleet.BenchFleet;
import io.trawl.bench.fleet.BenchProcess;
import io.trawl.bench.fleet.ModuleStatusPage;
import io.trawl.bench.fleet.SeedClient;
import io.trawl.testkit.web.BacklogPlan;
import io.trawl.testkit.web.BacklogShare;
import io.trawl.bench.report.Quantiles;
import io.trawl.bench.report.Results;
import io.trawl.testkit.web.Loopback;
import io.trawl.testkit.web.LoopbackWeb;
import io.trawl.bench.web.SlowWeb;
import io.trawl.model.CrawlRun;
import io.trawl.model.Durations;
import io.trawl.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code urgent-seed}: the latency of an urgent seed behind a backlog of millions. */
@Command(name = "urgent-seed", sortOptions = false, description = "Time from the acknowledgement of an urgent seed to its download, with a backlog.")
public final class UrgentSeedBench implements Callable<Integer> {
    private static final int HIGHEST = 2;
    private static final long REQUIRED_NANOS = 2_000_000_000L;
    private static final Duration SETTLED = Duration.ofSeconds(10);

    @Option(names = "--shares", split = ",", defaultValue = "1x500000@0,10000x50@0", description = "The backlog. Default: ${DEFAULT-VALUE}. Ten million: 1x5000000@0,100000x50@0.")
    private List<String> shares = List.of();

    @Option(names = "--seeds", defaultValue = "200", description = "Number of urgent seeds. Default: ${DEFAULT-VALUE}.")
    private int seeds;

    @Option(names = "--slow", defaultValue = "5s", converter = BenchOptions.DurationOption.class, description = "Maximum response time of the backlog's hosts. Default: ${DEFAULT-VALUE}.")
    private Duration slow = Duration.ZERO;

    @Option(names = "--heap", defaultValue = "512m", description = "Heap of the downloader. Default: ${DEFAULT-VALUE}.")
    private String heap = "";

    @Mixin
    private BenchOptions benchOptions = new BenchOptions();

    private final Time time = Time.system();

    @Override
    public Integer call() throws InterruptedException {
        BacklogPlan backlogPlan = new BacklogPlan(shares.stream().map(BacklogShare::parse).toList(), true);
        SlowWeb pages = new SlowWeb(backlogPlan.hosts(), slow, time::nanos);
        Path folder = BenchOptions.folder();
        Results results = new Results("urgent-seed",
                Map.of("shares", shares.toString(), "seeds", seeds, "slow", Durations.format(slow), "heap", heap));
        boolean kept;
        try (LoopbackWeb web = LoopbackWeb.start(0, pages, time); BenchFleet fleet = new BenchFleet(folder, time)) {
            kept = measure(backlogPlan, pages, web, fleet, results);
        }
        benchOptions.report(results);
        BenchOptions.delete(folder);
        return kept ? 0 : 1;
    }

    private boolean measure(BacklogPlan backlogPlan, SlowWeb pages, LoopbackWeb web, BenchFleet fleet, Results results)
            throws InterruptedException {
        // Host 0 has the crawl's own seed: a crawl without requests would finish before the load.
        List<String> domains = IntStream
                .concat(IntStream.of(0), IntStream.range(backlogPlan.hosts(), backlogPlan.hosts() + seeds))
                .mapToObj(Loopback::address).toList();
        CrawlRun run = fleet
                .define(BenchCrawl.ID, BenchCrawl.over(web.url(0, "/seed.html"), domains, Duration.ofSeconds(1))).run();
        long begun = time.nanos();
        fleet.deployment().load(run, backlogPlan, web.port(), false, new LoadProgress(backlogPlan.requests(), time));
        double loading = seconds(begun);
        fleet.worker("worker-analyzer", "512m");
        fleet.worker("worker-pipeline", "256m");
        BenchProcess downloader = fleet.worker("worker-downloader", heap);
        begun = time.nanos();
        long pending = settle(fleet, pages, backlogPlan.requests());
        double reading = seconds(begun);
        try (SeedClient client = new SeedClient(fleet.coordinator())) {
            Quantiles times = new SeedLatency(client, BenchCrawl.ID, HIGHEST, web, pages, time)
                    .submit(backlogPlan.hosts(), seeds);
            results.row("waiting", backlogPlan.requests(), "in the index", pending, "load s", loading, "index s",
                    reading, "seeds", times.size(), "p50 ms", times.at(0.5) / 1e6, "p99 ms", times.at(0.99) / 1e6,
                    "max ms", times.at(1) / 1e6, "slow pages meanwhile", pages.visits(), "downloader peak MiB",
                    downloader.usage().peakMemory() >> 20, "downloader CPU s",
                    downloader.usage().cpu().toMillis() / 1000.0);
            return times.at(0.99) <= REQUIRED_NANOS;
        }
    }

    /**
     * Waits until the downloader has read the backlog or makes no progress for 10 s; returns its number of pending
     * requests.
     */
    private long settle(BenchFleet fleet, SlowWeb pages, long all) throws InterruptedException {
        try (ModuleStatusPage page = new ModuleStatusPage(fleet.coordinator())) {
            long most = 0;
            long since = time.nanos();
            long pending = 0;
            // Some requests are answered before the last one is read.
            while (pending + pages.visits() < all && (most == 0 || time.nanos() - since < SETTLED.toNanos())) {
                time.pause(Duration.ofSeconds(2));
                pending = page.pending();
                BenchOptions.progress("%,d in the index, %,d slow pages requested", pending, pages.visits());
                if (pending > most) {
                    most = pending;
                    since = time.nanos();
                }
            }
            return pending;
        }
    }

    private double seconds(long begun) {
        return (time.nanos() - begun) / 1e9;
    }
}
