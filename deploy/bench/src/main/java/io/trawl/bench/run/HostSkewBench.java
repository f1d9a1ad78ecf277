package io.trawl.bench.run;

import static org.awaitility.Awaitility.await;

import io.trawl.bench.fleet.BenchFleet;
import io.trawl.bench.fleet.BenchProcess;
import io.trawl.bench.fleet.RunFolder;
import io.trawl.bench.fleet.StageCounts;
import io.trawl.bench.fleet.Usage;
import io.trawl.bench.web.SlowWeb;
import io.trawl.testkit.web.BacklogPlan;
import io.trawl.testkit.web.BacklogShare;
import io.trawl.testkit.web.LoopbackWeb;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code host-skew}: the effect of one huge slow host on all others. */
@Command(name = "host-skew", sortOptions = false, description = "The rate of many small hosts with and without a huge slow one, in interleaved pairs.")
public final class HostSkewBench extends Disturbance<String> {
    private static final Duration FIRST_PAGE = Duration.ofMinutes(2);

    @Option(names = "--huge", defaultValue = "1000000", description = "URLs of the huge host. Default: ${DEFAULT-VALUE}.")
    private int huge;

    @Option(names = "--hosts", defaultValue = "1000", description = "Small hosts. Default: ${DEFAULT-VALUE}.")
    private int hosts;

    @Option(names = "--urls", defaultValue = "100", description = "URLs of each small host. Default: ${DEFAULT-VALUE}.")
    private int urls;

    @Option(names = "--takes", defaultValue = "5s", description = "Response time of the huge host. Default: ${DEFAULT-VALUE}.")
    private Duration takes = Duration.ZERO;

    @Option(names = "--delay", defaultValue = "5s", description = "Delay of each host; with the number of hosts it sets the rate. Default: ${DEFAULT-VALUE}.")
    private Duration delay = Duration.ZERO;

    @Option(names = "--warm-up", defaultValue = "20s", description = "From the first page to the first count. Default: ${DEFAULT-VALUE}.")
    private Duration warmUp = Duration.ZERO;

    @Option(names = "--window", defaultValue = "60s", description = "From the first count to the last. Default: ${DEFAULT-VALUE}.")
    private Duration window = Duration.ZERO;

    @Option(names = "--heap", defaultValue = "512m", description = "Heap of each worker. Default: ${DEFAULT-VALUE}.")
    private String heap = "";

    @Option(names = "--huge-first", description = "Write the huge host's URLs before all others. Default: evenly mixed.")
    private boolean hugeFirst;

    @Override
    List<List<String>> blocks() {
        return List.of(List.of("a huge host"));
    }

    @Override
    double required(String each) {
        return 0.95;
    }

    /** Without the huge host, the backlog still has its first URL, so that all other hosts keep their numbers. */
    @Override
    Measured run(String each, boolean disturbed) throws InterruptedException {
        BacklogPlan plan = new BacklogPlan(
                List.of(new BacklogShare(1, disturbed ? huge : 1, 0), new BacklogShare(hosts, urls, 0)), !hugeFirst);
        SlowWeb pages = new SlowWeb(1, takes, takes, time::nanos);
        try (RunFolder folder = new RunFolder();
                LoopbackWeb web = LoopbackWeb.start(0, pages, time);
                BenchFleet fleet = new BenchFleet(folder.path(), time)) {
            fleet.load(BenchCrawl.over(web.url(0, "/seed.html"), List.of(), delay), plan, web.port());
            fleet.scale(StageCounts.ONE, heap, Map.of());
            BenchProcess downloader = fleet.worker("worker-downloader");
            await("the first page").atMost(FIRST_PAGE).until(() -> pages.quickVisits() > 0);
            time.pause(warmUp);
            long others = pages.quickVisits();
            long slow = pages.visits();
            Usage before = downloader.usage();
            long begun = time.nanos();
            time.pause(window);
            double seconds = secondsSince(begun);
            Usage used = downloader.usage().since(before);
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("CPU s", used.cpu().toMillis() / 1000.0);
            figures.put("peak MiB", used.peakMemory() >> 20);
            if (disturbed) {
                figures.put("huge/s", (pages.visits() - slow) / seconds);
            }
            double rate = (pages.quickVisits() - others) / seconds;
            progress("others %s: %.1f/s", disturbed ? "beside " + each : "alone", rate);
            return new Measured(rate, figures);
        }
    }
}
