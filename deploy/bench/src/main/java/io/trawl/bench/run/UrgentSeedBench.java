package io.trawl.bench.run;

import io.trawl.bench.fleet.BenchFleet;
import io.trawl.bench.fleet.BenchProcess;
import io.trawl.bench.fleet.ModuleStatusPage;
import io.trawl.bench.fleet.RunFolder;
import io.trawl.bench.fleet.StageCounts;
import io.trawl.bench.web.SlowWeb;
import io.trawl.testkit.web.BacklogPlan;
import io.trawl.testkit.web.BacklogShare;
import io.trawl.testkit.web.Loopback;
import io.trawl.testkit.web.LoopbackWeb;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code urgent-seed}: the latency of an urgent seed behind a backlog of millions. */
@Command(name = "urgent-seed", sortOptions = false, description = "Time from the acknowledgement of an urgent seed to its download, with a backlog.")
public final class UrgentSeedBench extends Benchmark {
    private static final int HIGHEST = 2;
    private static final long REQUIRED_NANOS = 2_000_000_000L;
    private static final Duration SETTLED = Duration.ofSeconds(10);

    @Option(names = "--shares", split = ",", defaultValue = "1x500000@0,10000x50@0", description = "The backlog. Default: ${DEFAULT-VALUE}. Ten million: 1x5000000@0,100000x50@0.")
    private List<String> shares = List.of();

    @Option(names = "--seeds", defaultValue = "200", description = "Number of urgent seeds. Default: ${DEFAULT-VALUE}.")
    private int seeds;

    @Option(names = "--slow", defaultValue = "5s", description = "Maximum response time of the backlog's hosts. Default: ${DEFAULT-VALUE}.")
    private Duration slow = Duration.ZERO;

    @Option(names = "--heap", defaultValue = "512m", description = "Heap of each worker. Default: ${DEFAULT-VALUE}.")
    private String heap = "";

    @Override
    boolean measure(Results results) throws InterruptedException {
        BacklogPlan plan = new BacklogPlan(shares.stream().map(BacklogShare::parse).toList(), true);
        SlowWeb pages = new SlowWeb(plan.hosts(), slow, time::nanos);
        try (RunFolder folder = new RunFolder();
                LoopbackWeb web = LoopbackWeb.start(0, pages, time);
                BenchFleet fleet = new BenchFleet(folder.path(), time)) {
            // Host 0 has the crawl's own seed: a crawl without requests would finish before the load.
            List<String> domains = IntStream
                    .concat(IntStream.of(0), IntStream.range(plan.hosts(), plan.hosts() + seeds))
                    .mapToObj(Loopback::address).toList();
            long begun = time.nanos();
            fleet.load(BenchCrawl.over(web.url(0, "/seed.html"), domains, Duration.ofSeconds(1)), plan, web.port());
            double loading = secondsSince(begun);
            fleet.scale(StageCounts.ONE, heap, Map.of());
            BenchProcess downloader = fleet.worker("worker-downloader");
            begun = time.nanos();
            long pending = settle(fleet, pages, plan.requests());
            double reading = secondsSince(begun);
            Quantiles times = new SeedLatency(fleet.api(), BenchFleet.CRAWL, HIGHEST, web, pages, time)
                    .submit(plan.hosts(), seeds);
            results.row("waiting", plan.requests(), "in the index", pending, "load s", loading, "index s", reading,
                    "seeds", times.size(), "p50 ms", times.at(0.5) / 1e6, "p99 ms", times.at(0.99) / 1e6, "max ms",
                    times.at(1) / 1e6, "slow pages meanwhile", pages.visits(), "downloader peak MiB",
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
        ModuleStatusPage modules = new ModuleStatusPage(fleet.api());
        long most = 0;
        long since = time.nanos();
        long pending = 0;
        // Some requests are answered before the last one is read.
        while (pending + pages.visits() < all && (most == 0 || time.nanos() - since < SETTLED.toNanos())) {
            time.pause(Duration.ofSeconds(2));
            pending = modules.pending();
            progress("%,d in the index, %,d slow pages requested", pending, pages.visits());
            if (pending > most) {
                most = pending;
                since = time.nanos();
            }
        }
        return pending;
    }
}
