package io.trawl.bench.run;

import io.trawl.bench.fleet.Await;
import io.trawl.bench.fleet.BenchFleet;
import io.trawl.bench.fleet.BenchProcess;
import io.trawl.bench.fleet.SeedClient;
import io.trawl.bench.fleet.Usage;
import io.trawl.testkit.hostile.HostileCase.CaseGroup;
import io.trawl.testkit.hostile.HostileWeb;
import io.trawl.testkit.web.BacklogPlan;
import io.trawl.testkit.web.BacklogShare;
import io.trawl.bench.report.Quantiles;
import io.trawl.bench.report.Results;
import io.trawl.testkit.web.LoopbackWeb;
import io.trawl.bench.web.SkewedWeb;
import io.trawl.model.CrawlRun;
import io.trawl.model.Durations;
import io.trawl.model.Seed;
import io.trawl.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hostile}: the effect of the hostile web on honest hosts. */
@Command(name = "hostile", sortOptions = false, description = "The rate of honest hosts with and without the hostile web beside them, in interleaved pairs.")
public final class HostileBench implements Callable<Integer> {
    private static final double REQUIRED = 0.9;
    private static final Duration FIRST_PAGE = Duration.ofMinutes(2);
    /** As the hostile web asks for, and the honest hosts beside it. */
    private static final Map<String, String> NETWORK = Map.of("TRAWL_ALLOW_NETWORK", HostileWeb.NETWORK);

    @Option(names = "--cases", defaultValue = ".*", description = "The hostile cases, by a pattern of their names. Default: all.")
    private Pattern cases = Pattern.compile("");

    @Option(names = "--groups", split = ",", description = "Groups of cases, one after the other: ${COMPLETION-CANDIDATES}. Default: all.")
    private List<CaseGroup> groups = List.of(CaseGroup.values());

    @Option(names = "--hosts", defaultValue = "100", description = "Honest hosts. Default: ${DEFAULT-VALUE}.")
    private int hosts;

    @Option(names = "--delay", defaultValue = "2s", converter = BenchOptions.DurationOption.class, description = "Delay of each host; with the number of hosts it sets the rate. Default: ${DEFAULT-VALUE}.")
    private Duration delay = Duration.ZERO;

    @Option(names = "--rounds", defaultValue = "5", description = "URLs of each hostile case. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--warm-up", defaultValue = "10s", converter = BenchOptions.DurationOption.class, description = "From the first page to the attack. Default: ${DEFAULT-VALUE}.")
    private Duration warmUp = Duration.ZERO;

    @Option(names = "--window", defaultValue = "60s", converter = BenchOptions.DurationOption.class, description = "From the attack to the last count. Default: ${DEFAULT-VALUE}.")
    private Duration window = Duration.ZERO;

    @Option(names = "--pairs", defaultValue = "3", description = "Default: ${DEFAULT-VALUE}.")
    private int pairs;

    @Option(names = "--heap", defaultValue = "512m", description = "Heap of each worker. Default: ${DEFAULT-VALUE}.")
    private String heap = "";

    @Mixin
    private BenchOptions benchOptions = new BenchOptions();

    private final Time time = Time.system();

    private record Measured(double rate, long hostile, Usage downloader, Usage analyzer) {}

    @Override
    public Integer call() throws InterruptedException {
        Results results = new Results("hostile", Map.of("cases", cases, "hosts", hosts, "delay",
                Durations.format(delay), "rounds", rounds, "window", Durations.format(window), "heap", heap));
        double least = 1;
        for (CaseGroup group : groups) {
            double[] ratios = new double[pairs];
            for (int pair = 0; pair < pairs; pair++) {
                ratios[pair] = pair(group, pair, results);
            }
            double kept = Quantiles.median(ratios);
            results.row("attack", group.heading(), "pair", "median", "kept", kept);
            least = Math.min(least, kept);
        }
        benchOptions.report(results);
        return least >= REQUIRED ? 0 : 1;
    }

    /** One run with and one without the attack; returns what the honest hosts kept of their rate. */
    private double pair(CaseGroup group, int pair, Results results) throws InterruptedException {
        boolean withFirst = pair % 2 == 1;
        Measured first = measure(group, withFirst);
        Measured second = measure(group, !withFirst);
        Measured with = withFirst ? first : second;
        Measured without = withFirst ? second : first;
        double kept = with.rate() / without.rate();
        results.row("attack", group.heading(), "pair", pair + 1, "honest/s without", without.rate(), "honest/s with",
                with.rate(), "kept", kept, "hostile requests", with.hostile(), "downloader, peak MiB",
                with.downloader().peakMemory() >> 20, "analyzer, peak MiB", with.analyzer().peakMemory() >> 20);
        return kept;
    }

    /** One run on its own servers. */
    private Measured measure(CaseGroup group, boolean attacked) throws InterruptedException {
        SkewedWeb pages = new SkewedWeb(Duration.ZERO);
        Path folder = BenchOptions.folder();
        try (HostileWeb hostile = HostileWeb.start(Files.createDirectory(folder.resolve("keys")),
                each -> each.group() == group && cases.asMatchPredicate().test(each.name()));
                LoopbackWeb web = LoopbackWeb.start(0, pages, time);
                BenchFleet fleet = new BenchFleet(folder, time);
                SeedClient seeds = new SeedClient(fleet.coordinator())) {
            String seed = web.url(0, "/seed.html");
            List<String> domains = new ArrayList<>(hostile.domains());
            domains.add(URI.create(seed).getHost());
            CrawlRun run = fleet.define(BenchCrawl.ID, BenchCrawl.over(seed, domains, delay)).run();
            fleet.deployment().load(run, backlog(), web.port(), false, _ -> {});
            BenchProcess analyzer = fleet.worker("worker-analyzer", heap, NETWORK);
            fleet.worker("worker-pipeline", "256m");
            BenchProcess downloader = fleet.worker("worker-downloader", heap, NETWORK);
            Await.until("the first page", FIRST_PAGE, time, () -> pages.ofOthers() > 0);
            time.pause(warmUp);
            long before = pages.ofOthers();
            long begun = time.nanos();
            for (int round = 0; attacked && round < rounds; round++) {
                seeds.submit(BenchCrawl.ID, seeds(hostile, round));
            }
            time.pause(window);
            double rate = (pages.ofOthers() - before) / ((time.nanos() - begun) / 1e9);
            BenchOptions.progress("%s, %s: %.1f/s", group.heading(), attacked ? "with" : "without", rate);
            return new Measured(rate, hostile.requests(), downloader.usage(), analyzer.usage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            BenchOptions.delete(folder);
        }
    }

    /** More than the honest hosts can be asked for until the end. */
    private BacklogPlan backlog() {
        long each = warmUp.plus(window).plus(FIRST_PAGE).dividedBy(delay) + 1;
        return new BacklogPlan(List.of(new BacklogShare(1, 1, 0), new BacklogShare(hosts, (int) each, 0)), true);
    }

    private static List<Seed> seeds(HostileWeb hostile, int round) {
        return hostile.entries("?round=" + round).stream().map(url -> Seed.of(BenchCrawl.ID, url, Optional.empty()))
                .toList();
    }
}
