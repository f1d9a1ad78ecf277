package io.trawl.bench.run;

import io.trawl.bench.fleet.Await;
import io.trawl.bench.fleet.BenchFleet;
import io.trawl.bench.fleet.BenchProcess;
import io.trawl.bench.fleet.Usage;
import io.trawl.testkit.web.BacklogPlan;
import io.trawl.testkit.web.BacklogShare;
import io.trawl.bench.report.Quantiles;
import io.trawl.bench.report.Results;
import io.trawl.testkit.web.LoopbackWeb;
import io.trawl.bench.web.SkewedWeb;
import io.trawl.model.CrawlRun;
import io.trawl.model.Durations;
import io.trawl.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code host-skew}: the effect of one huge slow host on all others. */
@Command(name = "host-skew", sortOptions = false, description = "The rate of many small hosts with and without a huge slow one, in interleaved pairs.")
public final class HostSkewBench implements Callable<Integer> {
    private static final double REQUIRED = 0.95;
    private static final Duration FIRST_PAGE = Duration.ofMinutes(2);

    @Option(names = "--huge", defaultValue = "1000000", description = "URLs of the huge host. Default: ${DEFAULT-VALUE}.")
    private int huge;

    @Option(names = "--hosts", defaultValue = "1000", description = "Small hosts. Default: ${DEFAULT-VALUE}.")
    private int hosts;

    @Option(names = "--urls", defaultValue = "100", description = "URLs of each small host. Default: ${DEFAULT-VALUE}.")
    private int urls;

    @Option(names = "--takes", defaultValue = "5s", converter = BenchOptions.DurationOption.class, description = "Response time of the huge host. Default: ${DEFAULT-VALUE}.")
    private Duration takes = Duration.ZERO;

    @Option(names = "--delay", defaultValue = "5s", converter = BenchOptions.DurationOption.class, description = "Delay of each host; with the number of hosts it sets the rate. Default: ${DEFAULT-VALUE}.")
    private Duration delay = Duration.ZERO;

    @Option(names = "--warm-up", defaultValue = "20s", converter = BenchOptions.DurationOption.class, description = "From the first page to the first count. Default: ${DEFAULT-VALUE}.")
    private Duration warmUp = Duration.ZERO;

    @Option(names = "--window", defaultValue = "60s", converter = BenchOptions.DurationOption.class, description = "From the first count to the last. Default: ${DEFAULT-VALUE}.")
    private Duration window = Duration.ZERO;

    @Option(names = "--pairs", defaultValue = "3", description = "Default: ${DEFAULT-VALUE}.")
    private int pairs;

    @Option(names = "--heap", defaultValue = "512m", description = "Heap of the downloader. Default: ${DEFAULT-VALUE}.")
    private String heap = "";

    @Option(names = "--huge-first", description = "Write the huge host's URLs before all others. Default: evenly mixed.")
    private boolean hugeFirst;

    @Mixin
    private BenchOptions benchOptions = new BenchOptions();

    private final Time time = Time.system();

    private record Measured(double rate, double slowRate, Usage downloader) {}

    @Override
    public Integer call() throws InterruptedException {
        Results results = new Results("host-skew",
                Map.of("huge", huge, "hosts", hosts, "urls", urls, "takes", Durations.format(takes), "delay",
                        Durations.format(delay), "window", Durations.format(window), "heap", heap, "hugeFirst",
                        hugeFirst));
        double[] ratios = new double[pairs];
        for (int pair = 0; pair < pairs; pair++) {
            boolean withFirst = pair % 2 == 1;
            Measured first = measure(withFirst);
            Measured second = measure(!withFirst);
            Measured with = withFirst ? first : second;
            Measured without = withFirst ? second : first;
            ratios[pair] = with.rate() / without.rate();
            results.row("pair", pair + 1, "others/s without", without.rate(), "others/s with", with.rate(), "kept",
                    ratios[pair], "huge/s", with.slowRate(), "CPU s without", seconds(without), "CPU s with",
                    seconds(with), "peak MiB without", without.downloader().peakMemory() >> 20, "peak MiB with",
                    with.downloader().peakMemory() >> 20);
        }
        double kept = Quantiles.median(ratios);
        results.row("pair", "median", "kept", kept);
        benchOptions.report(results);
        return kept >= REQUIRED ? 0 : 1;
    }

    private static double seconds(Measured measured) {
        return measured.downloader().cpu().toMillis() / 1000.0;
    }

    /**
     * One run on its own servers. Without the huge host, the backlog still has that host's first URL, so that all other
     * hosts keep their numbers.
     */
    private Measured measure(boolean withHuge) throws InterruptedException {
        BacklogPlan backlogPlan = new BacklogPlan(
                List.of(new BacklogShare(1, withHuge ? huge : 1, 0), new BacklogShare(hosts, urls, 0)), !hugeFirst);
        SkewedWeb pages = new SkewedWeb(takes);
        Path folder = BenchOptions.folder();
        try (LoopbackWeb web = LoopbackWeb.start(0, pages, time); BenchFleet fleet = new BenchFleet(folder, time)) {
            CrawlRun run = fleet.define(BenchCrawl.ID, BenchCrawl.over(web.url(0, "/seed.html"), List.of(), delay))
                    .run();
            fleet.deployment().load(run, backlogPlan, web.port(), false,
                    new LoadProgress(backlogPlan.requests(), time));
            fleet.worker("worker-analyzer", "512m");
            fleet.worker("worker-pipeline", "256m");
            return count(pages, fleet.worker("worker-downloader", heap));
        } finally {
            BenchOptions.delete(folder);
        }
    }

    private Measured count(SkewedWeb pages, BenchProcess downloader) throws InterruptedException {
        Await.until("the first page", FIRST_PAGE, time, () -> pages.ofOthers() > 0);
        time.pause(warmUp);
        long others = pages.ofOthers();
        long slow = pages.ofSlow();
        Usage before = downloader.usage();
        long begun = time.nanos();
        time.pause(window);
        double seconds = (time.nanos() - begun) / 1e9;
        Measured measured = new Measured((pages.ofOthers() - others) / seconds, (pages.ofSlow() - slow) / seconds,
                downloader.usage().since(before));
        BenchOptions.progress("others: %.1f/s, huge: %.2f/s", measured.rate(), measured.slowRate());
        return measured;
    }
}
