package io.trawl.bench.run;

import static org.awaitility.Awaitility.await;

import io.trawl.bench.fleet.BenchProcess;
import io.trawl.bench.fleet.RunFolder;
import io.trawl.bench.fleet.Usage;
import io.trawl.bench.run.SlowHostsBench.SlowCase;
import io.trawl.bench.web.SlowHostsWeb;
import io.trawl.bench.web.SlowHostsWeb.Slowness;
import io.trawl.model.Durations;
import io.trawl.testkit.FakeNameServer;
import io.trawl.testkit.web.Loopback;
import io.trawl.testkit.web.LoopbackWeb;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code slow-hosts}: what slow hosts take from quick ones. */
@Command(name = "slow-hosts", sortOptions = false, description = "The rate of quick hosts alone, and beside slow, trickling and silent ones and those without a name, in ./trawl crawl.")
public final class SlowHostsBench extends Disturbance<SlowCase> {
    private static final double BUSY = 0.8;
    private static final Duration LIMIT = Duration.ofMinutes(15);

    @Option(names = "--quick", defaultValue = "20", description = "Quick hosts. Default: ${DEFAULT-VALUE}.")
    private int quick;

    @Option(names = "--pages", defaultValue = "60", description = "Pages of each quick host. Default: ${DEFAULT-VALUE}.")
    private int pages;

    @Option(names = "--delay", defaultValue = "1s", description = "Delay of each host. Default: ${DEFAULT-VALUE}.")
    private Duration delay = Duration.ZERO;

    @Option(names = "--takes", defaultValue = "10s", description = "Time of a page of a slow host. Default: ${DEFAULT-VALUE}.")
    private Duration takes = Duration.ZERO;

    @Option(names = "--cases", split = ",", defaultValue = "late:120,late:600,late:3000,trickle:600,silent:600,nameless:600", description = "KIND:HOSTS, where KIND is late, trickle, silent or nameless. Default: ${DEFAULT-VALUE}.")
    private List<String> cases = List.of();

    private final Map<SlowCase, List<Double>> busy = new LinkedHashMap<>();
    private final List<Double> coresAlone = new ArrayList<>();

    /** A number of hosts that are slow in some way. */
    record SlowCase(Slowness slowness, int hosts) {
        static SlowCase parse(String text) {
            String[] parts = text.split(":");
            return new SlowCase(Slowness.valueOf(parts[0].toUpperCase(Locale.ROOT)), Integer.parseInt(parts[1]));
        }

        @Override
        public String toString() {
            return slowness.name().toLowerCase(Locale.ROOT) + ":" + hosts;
        }
    }

    @Override
    List<List<SlowCase>> blocks() {
        return List.of(cases.stream().map(SlowCase::parse).toList());
    }

    @Override
    double required(SlowCase each) {
        return each.slowness() == Slowness.NAMELESS ? 0.95 : 0.9;
    }

    @Override
    boolean measure(Results results) throws InterruptedException {
        boolean kept = super.measure(results);
        return busy.values().stream().allMatch(parts -> Quantiles.median(parts) >= BUSY) && kept
                && Quantiles.median(coresAlone) <= Runtime.getRuntime().availableProcessors() / 2.0;
    }

    /** One run, with data of its own, until the quick hosts are done. */
    @Override
    Measured run(SlowCase each, boolean disturbed) throws InterruptedException {
        int slow = disturbed ? each.hosts() : 0;
        SlowHostsWeb sites = new SlowHostsWeb(quick, slow, pages, delay, disturbed ? each.slowness() : Slowness.NONE,
                takes, time::nanos);
        try (RunFolder folder = new RunFolder();
                LoopbackWeb web = LoopbackWeb.start(0, sites, time);
                FakeNameServer names = Loopback
                        .nameServer(host -> each.slowness() == Slowness.NAMELESS && host >= quick)) {
            Path file = Files.writeString(folder.path().resolve("crawl.yaml"), crawlFile(web, slow));
            long begun = time.nanos();
            try (BenchProcess crawl = BenchProcess.launch("crawl",
                    Map.of("TRAWL_DOWNLOADER_NAME_SERVERS", names.setting()), folder.path().resolve("logs"), time,
                    "crawl", "--file", file.toString(), "--allow-network", "127.0.0.0/8", "--out",
                    folder.path().resolve("pages").toString(), "--data", folder.path().resolve("data").toString(),
                    "--quiet")) {
                await("the quick hosts").atMost(LIMIT).until(() -> sites.complete() || !crawl.alive());
                return measured(each, disturbed, sites, crawl.usage(), secondsSince(begun));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Measured measured(SlowCase each, boolean disturbed, SlowHostsWeb sites, Usage usage, double seconds) {
        progress("%s: %.1f quick pages/s", disturbed ? each : "alone", sites.rate());
        Map<String, Object> figures = new LinkedHashMap<>();
        if (disturbed && each.slowness().answers()) {
            figures.put("slow hosts busy", sites.busy());
            busy.computeIfAbsent(each, _ -> new ArrayList<>()).add(sites.busy());
        }
        double cores = usage.cpu().toMillis() / 1000.0 / seconds;
        if (!disturbed) {
            coresAlone.add(cores);
        }
        figures.put("cores", cores);
        figures.put("peak MiB", usage.peakMemory() >> 20);
        return new Measured(sites.rate(), figures);
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
