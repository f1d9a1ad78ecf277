package io.trawl.bench.run;

import io.trawl.bench.fleet.BenchFleet;
import io.trawl.bench.fleet.BenchProcess;
import io.trawl.bench.fleet.ModulePage;
import io.trawl.bench.fleet.SeedsClient;
import io.trawl.bench.load.Backlog;
import io.trawl.bench.load.Share;
import io.trawl.bench.report.Quantiles;
import io.trawl.bench.report.Results;
import io.trawl.bench.web.Loopback;
import io.trawl.bench.web.LoopbackWeb;
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

/** {@code urgent-seed}: how long an urgent seed waits while millions wait. */
@Command(name = "urgent-seed", sortOptions = false, description = "Time from the acknowledgement of an urgent seed to its download, while a backlog waits.")
public final class UrgentSeed implements Callable<Integer> {
    private static final int HIGHEST = 2;
    private static final long PROMISED_NANOS = 2_000_000_000L;
    private static final Duration SETTLED = Duration.ofSeconds(10);

    @Option(names = "--shares", split = ",", defaultValue = "1x500000@0,10000x50@0", description = "What waits. Default: ${DEFAULT-VALUE}. Ten million: 1x5000000@0,100000x50@0.")
    private List<String> shares = List.of();

    @Option(names = "--seeds", defaultValue = "200", description = "How many urgent seeds. Default: ${DEFAULT-VALUE}.")
    private int seeds;

    @Option(names = "--slow", defaultValue = "5s", converter = Common.DurationOption.class, description = "How long the hosts of the backlog take at most. Default: ${DEFAULT-VALUE}.")
    private Duration slow = Duration.ZERO;

    @Option(names = "--heap", defaultValue = "512m", description = "Of the downloader. Default: ${DEFAULT-VALUE}.")
    private String heap = "";

    @Mixin
    private Common common = new Common();

    private final Time time = Time.system();

    @Override
    public Integer call() throws InterruptedException {
        Backlog backlog = new Backlog(shares.stream().map(Share::parse).toList(), true);
        SlowWeb pages = new SlowWeb(backlog.hosts(), slow, time::nanos);
        Path folder = Common.folder();
        Results results = new Results("urgent-seed",
                Map.of("shares", shares.toString(), "seeds", seeds, "slow", Durations.format(slow), "heap", heap));
        boolean kept;
        try (LoopbackWeb web = LoopbackWeb.start(0, pages, time); BenchFleet fleet = new BenchFleet(folder, time)) {
            kept = measure(backlog, pages, web, fleet, results);
        }
        common.report(results);
        Common.delete(folder);
        return kept ? 0 : 1;
    }

    private boolean measure(Backlog backlog, SlowWeb pages, LoopbackWeb web, BenchFleet fleet, Results results)
            throws InterruptedException {
        // Host 0 has the crawl's own seed: a crawl without any request would be finished before the load.
        List<String> domains = IntStream
                .concat(IntStream.of(0), IntStream.range(backlog.hosts(), backlog.hosts() + seeds))
                .mapToObj(Loopback::address).toList();
        CrawlRun run = fleet.define(BenchCrawl.ID, BenchCrawl.over(web.url(0, "/seed.html"), domains, Duration.ofSeconds(1)))
                .run();
        long begun = time.nanos();
        fleet.deployment().load(run, backlog, web.port(), false, new Progress(backlog.requests(), time));
        double loading = seconds(begun);
        fleet.worker("worker-analyzer", "512m");
        fleet.worker("worker-pipeline", "256m");
        BenchProcess downloader = fleet.worker("worker-downloader", heap);
        begun = time.nanos();
        long pending = settle(fleet, pages, backlog.requests());
        double reading = seconds(begun);
        try (SeedsClient client = new SeedsClient(fleet.coordinator())) {
            Quantiles times = new UrgentSeeds(client, BenchCrawl.ID, HIGHEST, web, pages, time).submit(backlog.hosts(), seeds);
            results.row("waiting", backlog.requests(), "in the index", pending, "load s", loading, "index s", reading,
                    "seeds", times.size(), "p50 ms", times.at(0.5) / 1e6, "p99 ms", times.at(0.99) / 1e6, "max ms",
                    times.at(1) / 1e6, "slow pages meanwhile", pages.visits(),
                    "downloader peak MiB", downloader.usage().peakMemory() >> 20,
                    "downloader CPU s", downloader.usage().cpu().toMillis() / 1000.0);
            return times.at(0.99) <= PROMISED_NANOS;
        }
    }

    /** Waits until the downloader has read everything, or for some seconds nothing more; returns how many it holds then. */
    private long settle(BenchFleet fleet, SlowWeb pages, long all) throws InterruptedException {
        try (ModulePage page = new ModulePage(fleet.coordinator())) {
            long most = 0;
            long since = time.nanos();
            long pending = 0;
            // Some are answered before the last one has been read.
            while (pending + pages.visits() < all && (most == 0 || time.nanos() - since < SETTLED.toNanos())) {
                time.pause(Duration.ofSeconds(2));
                pending = page.pending();
                Common.say("%,d in the index, %,d slow pages asked for", pending, pages.visits());
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
