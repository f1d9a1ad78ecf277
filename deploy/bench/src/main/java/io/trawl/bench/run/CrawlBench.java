package io.trawl.bench.run;

import static org.awaitility.Awaitility.await;

import io.trawl.bench.fleet.BenchProcess;
import io.trawl.bench.fleet.CrawlSamples.PageWindow;
import io.trawl.bench.fleet.RunFolder;
import io.trawl.bench.fleet.Usage;
import io.trawl.bench.report.Quantiles;
import io.trawl.bench.report.Results;
import io.trawl.testkit.web.GeneratedSites;
import io.trawl.testkit.web.Loopback;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code crawl}: a whole crawl of a generated web, with the cost of each process. */
@Command(name = "crawl", sortOptions = false, description = "Crawl generated sites without delay: pages per second, CPU and memory per process.")
public final class CrawlBench extends Benchmark {
    @Option(names = "--pages", defaultValue = "20000", description = "Total number of pages. Default: ${DEFAULT-VALUE}.")
    private int pages;

    @Option(names = "--hosts", defaultValue = "100", description = "Default: ${DEFAULT-VALUE}.")
    private int hosts;

    @Option(names = "--runs", defaultValue = "3", description = "Runs of each kind, alternating. Default: ${DEFAULT-VALUE}.")
    private int runs;

    @Option(names = "--kinds", split = ",", defaultValue = "floor,one,fleet", description = "floor: a crawler without any promise; kafka-floor: the same with stages that are joined by Kafka; one: ./trawl crawl, all modules in one JVM; fleet: each module in its own process. Default: ${DEFAULT-VALUE}.")
    private List<Kind> kinds = List.of();

    @Option(names = "--window", paramLabel = "PAGES", defaultValue = "0", description = "Report each window of so many pages, too: whether pages cost more when more are known. Default: none.")
    private int window;

    @Mixin
    private ShapeOptions shape = new ShapeOptions();

    @Mixin
    private TimedCrawls.FleetOptions fleetOptions = new TimedCrawls.FleetOptions();

    /** The kinds of crawls. */
    enum Kind {
        FLOOR, KAFKA_FLOOR, ONE, FLEET;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Override
    boolean measure(Results results) throws InterruptedException {
        Map<Kind, List<TimedCrawls.Finished>> all = new LinkedHashMap<>();
        for (int run = 1; run <= runs; run++) {
            for (Kind kind : kinds) {
                TimedCrawls.Finished finished = run(kind);
                all.computeIfAbsent(kind, k -> new ArrayList<>()).add(finished);
                report(results, kind.toString(), Integer.toString(run), finished);
            }
        }
        OptionalDouble floor = Optional.ofNullable(all.get(Kind.FLOOR)).map(CrawlBench::cpu).stream()
                .mapToDouble(cpu -> cpu).findFirst();
        all.forEach((kind, list) -> medians(results, kind.toString(), list, floor));
        return true;
    }

    private TimedCrawls.Finished run(Kind kind) throws InterruptedException {
        List<String> arguments = new ArrayList<>(
                List.of("web", "--hosts", Integer.toString(hosts), "--pages", Integer.toString(pages / hosts)));
        arguments.addAll(shape.arguments());
        try (RunFolder folder = new RunFolder();
                BenchProcess web = BenchProcess.start("web", "deploy/bench", List.of("-Xmx256m"), Map.of(),
                        folder.path().resolve("logs"), time, arguments.toArray(String[]::new))) {
            await("the web server").atMost(Duration.ofSeconds(30)).until(() -> web.printed().startsWith("port "));
            String port = web.printed().strip().substring("port ".length());
            List<String> seeds = IntStream.range(0, hosts)
                    .mapToObj(host -> "http://" + Loopback.address(host) + ":" + port + GeneratedSites.path(0))
                    .toList();
            TimedCrawls crawls = new TimedCrawls(folder.path(), seeds, fleetOptions,
                    window == 0 ? Integer.MAX_VALUE : window, time);
            TimedCrawls.Finished finished = switch (kind) {
                case FLOOR -> crawls.floor();
                case ONE -> crawls.inOneJvm();
                case KAFKA_FLOOR -> crawls.floorOnKafka();
                case FLEET -> crawls.inAFleet();
            };
            progress("%s: %d pages in %.1f s", kind, finished.pages(), finished.seconds());
            if (finished.pages() != pages / hosts * hosts) {
                throw new IllegalStateException("crawled " + finished.pages() + " pages of " + pages / hosts * hosts);
            }
            return finished.with("web server", web.usage());
        }
    }

    private static void report(Results results, String kind, String run, TimedCrawls.Finished finished) {
        finished.usage().forEach((process, usage) -> row(results, kind, run, process, finished, usage));
        row(results, kind, run, "all of Trawl", finished, finished.trawl());
        for (PageWindow each : finished.windows()) {
            results.row("kind", kind, "run", run, "process", "pages " + each.from() + " to " + each.to(), "pages/s",
                    each.pagesPerSecond(), "CPU s", each.cpu().toMillis() / 1000.0, "CPU s per 1000 pages",
                    each.cpuMillisPerPage());
        }
    }

    private static void row(Results results, String kind, String run, String process, TimedCrawls.Finished finished,
            Usage usage) {
        double cpu = usage.cpu().toMillis() / 1000.0;
        results.row("kind", kind, "run", run, "process", process, "pages/s", finished.pages() / finished.seconds(),
                "CPU s", cpu, "CPU s per 1000 pages", cpu * 1000 / finished.pages(), "peak MiB",
                usage.peakMemory() >> 20);
    }

    private static double cpu(List<TimedCrawls.Finished> list) {
        return median(list, f -> f.trawl().cpu().toMillis() / 1000.0);
    }

    private static double median(List<TimedCrawls.Finished> list, ToDoubleFunction<TimedCrawls.Finished> figure) {
        return Quantiles.median(list.stream().mapToDouble(figure).boxed().toList());
    }

    /** @param floor the processor time of the floor program in seconds */
    private static void medians(Results results, String kind, List<TimedCrawls.Finished> list, OptionalDouble floor) {
        double cpu = cpu(list);
        results.row("kind", kind, "run", "median", "process", "all of Trawl", "pages/s",
                median(list, f -> f.pages() / f.seconds()), "CPU s", cpu, "CPU s per 1000 pages",
                cpu * 1000 / list.getFirst().pages(), "of the floor",
                floor.isPresent() ? (Object) (cpu / floor.getAsDouble()) : "", "peak MiB",
                median(list, f -> f.trawl().peakMemory() >> 20), "wall s", median(list, TimedCrawls.Finished::wall),
                "first page s", median(list, f -> f.pageTimes().first()), "last page to exit s",
                median(list, f -> f.wall() - f.pageTimes().last()), "Kafka's disk MiB",
                median(list, f -> f.disk() >> 20));
    }
}
