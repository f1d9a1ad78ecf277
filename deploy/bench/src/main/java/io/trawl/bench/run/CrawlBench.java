package io.trawl.bench.run;

import io.trawl.bench.fleet.Await;
import io.trawl.bench.fleet.BenchProcess;
import io.trawl.bench.fleet.CrawlSamples.PageWindow;
import io.trawl.bench.fleet.Usage;
import io.trawl.bench.report.Quantiles;
import io.trawl.bench.report.Results;
import io.trawl.testkit.web.GeneratedSites;
import io.trawl.testkit.web.Loopback;
import io.trawl.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code crawl}: a whole crawl of a generated web, with the cost of each process. */
@Command(name = "crawl", sortOptions = false, description = "Crawl generated sites without delay: pages per second, CPU and memory per process.")
public final class CrawlBench implements Callable<Integer> {
    @Option(names = "--pages", defaultValue = "20000", description = "Total number of pages. Default: ${DEFAULT-VALUE}.")
    private int pages;

    @Option(names = "--hosts", defaultValue = "100", description = "Default: ${DEFAULT-VALUE}.")
    private int hosts;

    @Option(names = "--runs", defaultValue = "3", description = "Runs of each kind, alternating. Default: ${DEFAULT-VALUE}.")
    private int runs;

    @Option(names = "--kinds", split = ",", defaultValue = "floor,one,fleet", description = "floor: a crawler without any promise; kafka-floor: the same with stages that are joined by Kafka; one: ./trawl crawl, all modules in one JVM; fleet: each module in its own process. Default: ${DEFAULT-VALUE}.")
    private List<String> kinds = List.of();

    @Option(names = "--window", paramLabel = "PAGES", defaultValue = "0", description = "Report each window of so many pages, too: whether pages cost more when more are known. Default: none.")
    private int window;

    @Mixin
    private ShapeOptions shape = new ShapeOptions();

    @Mixin
    private TimedCrawls.FleetOptions fleetOptions = new TimedCrawls.FleetOptions();

    @Mixin
    private BenchOptions benchOptions = new BenchOptions();

    private static final String FLOOR = "floor";
    private static final List<String> KINDS = List.of(FLOOR, "kafka-floor", "one", "fleet");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final Time time = Time.system();

    @Override
    public Integer call() throws InterruptedException {
        if (!KINDS.containsAll(kinds)) {
            throw new ParameterException(spec.commandLine(),
                    "--kinds: '" + String.join(",", kinds) + "' is not valid: " + String.join(", ", KINDS));
        }
        Results results = new Results("crawl", Map.of("pages", pages, "hosts", hosts, "runs", runs, "page",
                shape.shape(), "fleet", fleetOptions.toString()));
        Map<String, List<TimedCrawls.Finished>> all = new LinkedHashMap<>();
        for (int run = 1; run <= runs; run++) {
            for (String kind : kinds) {
                TimedCrawls.Finished finished = run(kind);
                all.computeIfAbsent(kind, k -> new ArrayList<>()).add(finished);
                report(results, kind, Integer.toString(run), finished);
            }
        }
        OptionalDouble floor = Optional.ofNullable(all.get(FLOOR)).map(CrawlBench::cpu).stream().mapToDouble(cpu -> cpu)
                .findFirst();
        all.forEach((kind, list) -> median(results, kind, list, floor));
        benchOptions.report(results);
        return 0;
    }

    private TimedCrawls.Finished run(String kind) throws InterruptedException {
        Path folder = BenchOptions.folder();
        List<String> arguments = new ArrayList<>(
                List.of("web", "--hosts", Integer.toString(hosts), "--pages", Integer.toString(pages / hosts)));
        arguments.addAll(shape.arguments());
        try (BenchProcess web = BenchProcess.start("web", "deploy/bench", List.of("-Xmx256m"), Map.of(),
                folder.resolve("logs"), time, arguments.toArray(String[]::new))) {
            Await.until("the web server", Duration.ofSeconds(30), time, () -> web.printed().startsWith("port "));
            String port = web.printed().strip().substring("port ".length());
            List<String> seeds = IntStream.range(0, hosts)
                    .mapToObj(host -> "http://" + Loopback.address(host) + ":" + port + GeneratedSites.path(0))
                    .toList();
            TimedCrawls crawls = new TimedCrawls(folder, seeds, fleetOptions, window == 0 ? Integer.MAX_VALUE : window,
                    time);
            TimedCrawls.Finished finished = switch (kind) {
                case FLOOR -> crawls.floor();
                case "one" -> crawls.inOneJvm();
                case "kafka-floor" -> crawls.floorOnKafka();
                default -> crawls.inAFleet();
            };
            BenchOptions.progress("%s: %d pages in %.1f s", kind, finished.pages(), finished.seconds());
            if (finished.pages() != pages / hosts * hosts) {
                throw new IllegalStateException("crawled " + finished.pages() + " pages of " + pages / hosts * hosts);
            }
            return finished.with("web server", web.usage());
        } finally {
            BenchOptions.delete(folder);
        }
    }

    private static void report(Results results, String kind, String run, TimedCrawls.Finished finished) {
        Usage total = Usage.NONE;
        for (Map.Entry<String, Usage> process : finished.usage().entrySet()) {
            if (!process.getKey().equals("web server")) {
                total = total.and(process.getValue());
            }
            row(results, kind, run, process.getKey(), finished, process.getValue());
        }
        row(results, kind, run, "all of Trawl", finished, total);
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
        return Quantiles.median(list.stream().mapToDouble(f -> f.trawl().cpu().toMillis() / 1000.0).toArray());
    }

    /** @param floor the processor time of the floor program in seconds */
    private static void median(Results results, String kind, List<TimedCrawls.Finished> list, OptionalDouble floor) {
        double rate = Quantiles.median(list.stream().mapToDouble(f -> f.pages() / f.seconds()).toArray());
        double wall = Quantiles.median(list.stream().mapToDouble(TimedCrawls.Finished::wall).toArray());
        double first = Quantiles.median(list.stream().mapToDouble(f -> f.pageTimes().first()).toArray());
        double exit = Quantiles.median(list.stream().mapToDouble(f -> f.wall() - f.pageTimes().last()).toArray());
        double cpu = cpu(list);
        double peak = Quantiles.median(list.stream().mapToDouble(f -> f.trawl().peakMemory() >> 20).toArray());
        double disk = Quantiles.median(list.stream().mapToDouble(f -> f.disk() >> 20).toArray());
        results.row("kind", kind, "run", "median", "process", "all of Trawl", "pages/s", rate, "CPU s", cpu,
                "CPU s per 1000 pages", cpu * 1000 / list.getFirst().pages(), "of the floor",
                floor.isPresent() ? (Object) (cpu / floor.getAsDouble()) : "", "peak MiB", peak, "wall s", wall,
                "first page s", first, "last page to exit s", exit, "Kafka's disk MiB", disk);
    }
}
