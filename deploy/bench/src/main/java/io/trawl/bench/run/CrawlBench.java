package io.trawl.bench.run;

import static org.awaitility.Awaitility.await;

import io.trawl.bench.fleet.BenchProcess;
import io.trawl.bench.fleet.CrawlSamples.PageWindow;
import io.trawl.bench.fleet.GcLog;
import io.trawl.bench.fleet.RunFolder;
import io.trawl.bench.fleet.Usage;
import io.trawl.bench.run.TimedCrawls.Start;
import io.trawl.bench.web.CorpusPages;
import io.trawl.bench.web.CorpusPages.Coding;
import io.trawl.testkit.web.GeneratedSites;
import io.trawl.testkit.web.Loopback;
import java.nio.file.Path;
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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code crawl}: a whole crawl of a generated web, with the cost of each process. */
@Command(name = "crawl", sortOptions = false, description = "Crawl generated sites without delay: pages per second, CPU and memory per process.")
public final class CrawlBench extends Benchmark {
    private static final String ALL = "all of Trawl";

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

    @Option(names = "--corpus", paramLabel = "FOLDER", description = "Crawl the files of this folder, HTML or HTML in gzip, each at several URLs if there are fewer of them than pages. All URLs are seeds, and no link is followed.")
    private @Nullable Path corpus;

    @Option(names = "--coding", defaultValue = "none", description = "How the web server sends the files of the corpus: none or gzip. Default: ${DEFAULT-VALUE}.")
    private Coding coding = Coding.NONE;

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
        try (RunFolder folder = new RunFolder();
                BenchProcess web = BenchProcess.start("web", "deploy/bench",
                        List.of(corpus == null ? "-Xmx256m" : "-Xmx2g"), Map.of(), folder.path().resolve("logs"), time,
                        webArguments())) {
            await("the web server").atMost(Duration.ofMinutes(2)).until(() -> web.printed().startsWith("port "));
            int port = Integer.parseInt(web.printed().strip().substring("port ".length()));
            TimedCrawls crawls = new TimedCrawls(folder.path(), start(port), fleetOptions,
                    window == 0 ? Integer.MAX_VALUE : window, time);
            TimedCrawls.Finished finished = switch (kind) {
                case FLOOR -> crawls.floor();
                case ONE -> crawls.inOneJvm();
                case KAFKA_FLOOR -> crawls.floorOnKafka();
                case FLEET -> crawls.inAFleet();
            };
            progress("%s: %d pages in %.1f s", kind, finished.pages(), finished.seconds());
            int expected = corpus == null ? pages / hosts * hosts : pages;
            if (finished.pages() != expected) {
                throw new IllegalStateException("crawled " + finished.pages() + " pages of " + expected);
            }
            return finished.with("web server", web.usage());
        }
    }

    private String[] webArguments() {
        List<String> arguments = new ArrayList<>(List.of("web", "--hosts", Integer.toString(hosts)));
        if (corpus == null) {
            arguments.addAll(List.of("--pages", Integer.toString(pages / hosts)));
            arguments.addAll(shape.arguments());
        } else {
            arguments.addAll(List.of("--corpus", corpus.toString(), "--coding", coding.toString()));
        }
        return arguments.toArray(String[]::new);
    }

    private Start start(int port) {
        return corpus == null
                ? new Start(IntStream.range(0, hosts)
                        .mapToObj(host -> "http://" + Loopback.address(host) + ":" + port + GeneratedSites.path(0))
                        .toList(), true)
                : new Start(CorpusPages.urls(pages, hosts, port), false);
    }

    private static void report(Results results, String kind, String run, TimedCrawls.Finished finished) {
        finished.usage().forEach((process, usage) -> row(results, kind, run, process, finished, usage));
        row(results, kind, run, ALL, finished, finished.trawl());
        GcLog gc = finished.gcLog();
        results.row("kind", kind, "run", run, "process", "garbage collection", "CPU s", seconds(gc.cpu()),
                "GC % of CPU", 100 * seconds(gc.cpu()) / seconds(finished.trawl().cpu()), "collections",
                gc.collections(), "full collections", gc.full(), "allocated MiB", gc.allocated() >> 20);
        for (PageWindow each : finished.windows()) {
            results.row("kind", kind, "run", run, "process", "pages " + each.from() + " to " + each.to(), "pages/s",
                    each.pagesPerSecond(), "CPU s", each.cpu().toMillis() / 1000.0, "CPU s per 1000 pages",
                    each.cpuMillisPerPage());
        }
    }

    private static void row(Results results, String kind, String run, String process, TimedCrawls.Finished finished,
            Usage usage) {
        double cpu = seconds(usage.cpu());
        results.row("kind", kind, "run", run, "process", process, "pages/s", finished.pages() / finished.seconds(),
                "CPU s", cpu, "CPU s per 1000 pages", cpu * 1000 / finished.pages(), "peak MiB",
                usage.peakMemory() >> 20);
    }

    private static double seconds(Duration cpu) {
        return cpu.toMillis() / 1000.0;
    }

    private static double cpu(List<TimedCrawls.Finished> list) {
        return median(list, f -> seconds(f.trawl().cpu()));
    }

    private static double median(List<TimedCrawls.Finished> list, ToDoubleFunction<TimedCrawls.Finished> figure) {
        return Quantiles.median(list.stream().mapToDouble(figure).boxed().toList());
    }

    /** @param floor the processor time of the floor program in seconds */
    private static void medians(Results results, String kind, List<TimedCrawls.Finished> list, OptionalDouble floor) {
        double cpu = cpu(list);
        results.row("kind", kind, "run", "median", "process", ALL, "pages/s",
                median(list, f -> f.pages() / f.seconds()), "CPU s", cpu, "CPU s per 1000 pages",
                cpu * 1000 / list.getFirst().pages(), "of the floor",
                floor.isPresent() ? (Object) (cpu / floor.getAsDouble()) : "", "peak MiB",
                median(list, f -> f.trawl().peakMemory() >> 20), "wall s", median(list, TimedCrawls.Finished::wall),
                "first page s", median(list, f -> f.pageTimes().first()), "last page to exit s",
                median(list, f -> f.wall() - f.pageTimes().last()), "Kafka's disk MiB",
                median(list, f -> f.disk() >> 20), "GC % of CPU",
                median(list, f -> 100 * seconds(f.gcLog().cpu()) / seconds(f.trawl().cpu())), "collections",
                median(list, f -> f.gcLog().collections()), "full collections", median(list, f -> f.gcLog().full()),
                "allocated MiB", median(list, f -> f.gcLog().allocated() >> 20));
    }
}
