package io.trawl.bench.run;

import io.trawl.bench.fleet.Await;
import io.trawl.bench.fleet.BenchProcess;
import io.trawl.bench.fleet.Usage;
import io.trawl.bench.report.Quantiles;
import io.trawl.bench.report.Results;
import io.trawl.testkit.FakeNameServer;
import io.trawl.testkit.web.Loopback;
import io.trawl.testkit.web.LoopbackWeb;
import io.trawl.bench.web.SlowHostsWeb;
import io.trawl.bench.web.SlowHostsWeb.Slowness;
import io.trawl.model.Durations;
import io.trawl.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code slow-hosts}: what slow hosts take from quick ones. */
@Command(name = "slow-hosts", sortOptions = false, description = "The rate of quick hosts alone, and beside slow, trickling and silent ones and those without a name, in ./trawl crawl.")
public final class SlowHostsBench implements Callable<Integer> {
    private static final double REQUIRED = 0.9;
    private static final double REQUIRED_OF_NAMES = 0.95;
    private static final double BUSY = 0.8;
    private static final Duration LIMIT = Duration.ofMinutes(15);

    @Option(names = "--quick", defaultValue = "20", description = "Quick hosts. Default: ${DEFAULT-VALUE}.")
    private int quick;

    @Option(names = "--pages", defaultValue = "60", description = "Pages of each quick host. Default: ${DEFAULT-VALUE}.")
    private int pages;

    @Option(names = "--delay", defaultValue = "1s", converter = BenchOptions.DurationOption.class, description = "Delay of each host. Default: ${DEFAULT-VALUE}.")
    private Duration delay = Duration.ZERO;

    @Option(names = "--takes", defaultValue = "10s", converter = BenchOptions.DurationOption.class, description = "Time of a page of a slow host. Default: ${DEFAULT-VALUE}.")
    private Duration takes = Duration.ZERO;

    @Option(names = "--cases", split = ",", defaultValue = "late:120,late:600,late:3000,trickle:600,silent:600,nameless:600", description = "KIND:HOSTS, where KIND is late, trickle, silent or nameless. Default: ${DEFAULT-VALUE}.")
    private List<String> cases = List.of();

    @Option(names = "--pairs", defaultValue = "3", description = "Default: ${DEFAULT-VALUE}.")
    private int pairs;

    @Mixin
    private BenchOptions benchOptions = new BenchOptions();

    private final Time time = Time.system();

    private record Measured(double rate, double busy, double seconds, Usage usage) {}

    @Override
    public Integer call() throws InterruptedException {
        Results results = new Results("slow-hosts", Map.of("quick", quick, "pages", pages, "delay",
                Durations.format(delay), "takes", Durations.format(takes)));
        Map<String, List<Double>> kept = new LinkedHashMap<>();
        Map<String, List<Double>> busy = new LinkedHashMap<>();
        for (int pair = 1; pair <= pairs; pair++) {
            Measured alone = measure(Slowness.NONE, 0);
            row(results, pair, "none", alone, 1);
            for (String each : cases) {
                Slowness slowness = Slowness.valueOf(each.split(":")[0].toUpperCase(Locale.ROOT));
                Measured beside = measure(slowness, Integer.parseInt(each.split(":")[1]));
                row(results, pair, each, beside, beside.rate() / alone.rate());
                kept.computeIfAbsent(each, _ -> new ArrayList<>()).add(beside.rate() / alone.rate());
                busy.computeIfAbsent(each, _ -> new ArrayList<>()).add(slowness == Slowness.LATE ? beside.busy() : 1);
            }
        }
        kept.forEach((each, rates) -> results.row("pair", "median", "slow hosts", each, "kept", median(rates)));
        benchOptions.report(results);
        return kept.entrySet().stream().allMatch(each -> median(each.getValue()) >= required(each.getKey()))
                && busy.values().stream().allMatch(parts -> median(parts) >= BUSY) ? 0 : 1;
    }

    private static double required(String each) {
        return each.startsWith("nameless") ? REQUIRED_OF_NAMES : REQUIRED;
    }

    private static double median(List<Double> values) {
        return Quantiles.median(values.stream().mapToDouble(value -> value).toArray());
    }

    private static void row(Results results, int pair, String slow, Measured measured, double kept) {
        double cpu = measured.usage().cpu().toMillis() / 1000.0;
        results.row("pair", pair, "slow hosts", slow, "quick pages/s", measured.rate(), "kept", kept, "slow hosts busy",
                measured.busy(), "cores", cpu / measured.seconds(), "peak MiB", measured.usage().peakMemory() >> 20);
    }

    /** One run, with data of its own, until the quick hosts are done. */
    private Measured measure(Slowness slowness, int slow) throws InterruptedException {
        Path folder = BenchOptions.folder();
        SlowHostsWeb pagesOfHosts = new SlowHostsWeb(quick, slow, pages, delay, slowness, takes, time::nanos);
        try (LoopbackWeb web = LoopbackWeb.start(0, pagesOfHosts, time);
                FakeNameServer names = Loopback.nameServer(host -> slowness == Slowness.NAMELESS && host >= quick)) {
            Path file = Files.writeString(folder.resolve("crawl.yaml"), crawlFile(web, slow));
            long begun = time.nanos();
            try (BenchProcess crawl = BenchProcess.launch("crawl",
                    Map.of("TRAWL_DOWNLOADER_NAME_SERVERS", names.setting()), folder.resolve("logs"), time, "crawl",
                    "--file", file.toString(), "--allow-network", "127.0.0.0/8", "--out",
                    folder.resolve("pages").toString(), "--data", folder.resolve("data").toString(), "--quiet")) {
                Await.until("the quick hosts", LIMIT, time, () -> pagesOfHosts.complete() || !crawl.alive());
                Measured measured = new Measured(pagesOfHosts.rate(),
                        slow == 0 || slowness == Slowness.NAMELESS ? 1 : pagesOfHosts.busy(),
                        (time.nanos() - begun) / 1e9, crawl.usage());
                BenchOptions.progress("%d %s hosts: %.1f quick pages/s, %.2f busy", slow, slowness, measured.rate(),
                        measured.busy());
                return measured;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            BenchOptions.delete(folder);
        }
    }

    /** The quick hosts stand among the slow ones. */
    private String crawlFile(LoopbackWeb web, int slow) {
        int all = quick + slow;
        String seeds = IntStream.range(0, all)
                .mapToObj(i -> (int) ((long) i * quick / all) < (int) ((i + 1L) * quick / all)
                        ? (int) ((long) i * quick / all)
                        : quick + i - (int) ((long) i * quick / all))
                .map(host -> "  - " + "http://" + Loopback.name(host) + ":" + web.port() + "/0")
                .collect(Collectors.joining("\n"));
        return "limits: {depth: 1}\nfetch: {delay: " + Durations.format(delay) + "}\nseeds:\n" + seeds + "\n";
    }
}
