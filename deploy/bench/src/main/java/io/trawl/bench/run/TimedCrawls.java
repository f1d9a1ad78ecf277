package io.trawl.bench.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.bench.fleet.BenchFleet;
import io.trawl.bench.fleet.BenchProcess;
import io.trawl.bench.fleet.CrawlSamples;
import io.trawl.bench.fleet.CrawlSamples.Asked;
import io.trawl.bench.fleet.CrawlSamples.PageWindow;
import io.trawl.bench.fleet.GcLog;
import io.trawl.bench.fleet.LogFiles;
import io.trawl.bench.fleet.StageCounts;
import io.trawl.bench.fleet.Usage;
import io.trawl.bench.run.TimedCrawls.Finished.PageTimes;
import io.trawl.codec.Json;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import picocli.CommandLine.Option;

/**
 * Runs one crawl in one JVM or in a fleet. Not thread-safe.
 *
 * @param window the least number of pages of each window
 */
record TimedCrawls(Path folder, Start start, FleetOptions fleetOptions, int window, Time time) {
    private static final Duration CRAWL_TIMEOUT = Duration.ofHours(2);

    /**
     * A crawl that has ended.
     *
     * @param seconds from start to end, as Trawl reports; of a floor program, until the end of its process
     * @param wall seconds from the start of the first process to the end of the last
     * @param usage by process
     * @param disk the peak size of Kafka's log files in bytes
     * @param gcLog of all processes except the web server
     */
    record Finished(long pages, double seconds, double wall, PageTimes pageTimes, List<PageWindow> windows,
            Map<String, Usage> usage, long disk, GcLog gcLog) {
        Finished with(String process, Usage used) {
            Map<String, Usage> more = new LinkedHashMap<>(usage);
            more.put(process, used);
            return new Finished(pages, seconds, wall, pageTimes, windows, more, disk, gcLog);
        }

        /**
         * When the web server was asked for pages, in seconds since the start of the first process.
         *
         * @param first the first page
         * @param last the last page
         */
        record PageTimes(double first, double last) {}

        /** The usage of all processes except the web server. */
        Usage trawl() {
            return usage.entrySet().stream().filter(e -> !e.getKey().equals("web server")).map(Map.Entry::getValue)
                    .reduce(Usage.NONE, Usage::and);
        }
    }

    /**
     * Where a crawl begins.
     *
     * @param seeds URLs in normal form
     * @param follow whether links are followed
     */
    record Start(List<String> seeds, boolean follow) {
        URI web() {
            return URI.create(seeds.getFirst());
        }

        int depth() {
            return follow ? -1 : 0;
        }
    }

    /** Runs the floor program, which keeps to the options that it runs best with: the JVM's own. */
    Finished floor() throws InterruptedException {
        long begun = time.now().toEpochMilli();
        try (BenchProcess crawl = BenchProcess.start("floor", "deploy/bench", List.of("-Xmx1g"), Map.of(),
                folder.resolve("logs"), time, floorArguments()); CrawlSamples samples = samples(crawl::usage)) {
            await(crawl);
            double wall = since(begun);
            return new Finished(Long.parseLong(crawl.printed().strip()), wall, wall, pageTimes(begun),
                    samples.of(window), Map.of(crawl.name(), crawl.usage()), 0, gcLog(Set.of(crawl.name())));
        }
    }

    private String[] floorArguments(String... more) {
        return Stream
                .of(Stream.of("floor", "--out", folder.resolve("pages.jsonl").toString()), Stream.of(more),
                        start.follow() ? Stream.<String>empty() : Stream.of("--seeds-only"), start.seeds().stream())
                .flatMap(arguments -> arguments).toArray(String[]::new);
    }

    /** Runs the floor program on Kafka, with the options and the cache of classes of {@code ./trawl crawl}. */
    Finished floorOnKafka() throws InterruptedException {
        makeCache();
        long begun = time.now().toEpochMilli();
        try (LogFiles logs = new LogFiles(folder.resolve("data"), time);
                BenchProcess crawl = BenchProcess.startLikeCrawl("kafka-floor", folder.resolve("logs"), time,
                        floorArguments("--kafka", folder.resolve("data").toString()));
                CrawlSamples samples = samples(crawl::usage)) {
            await(crawl);
            double wall = since(begun);
            PageTimes pageTimes = pageTimes(begun);
            return new Finished(Long.parseLong(crawl.printed().strip()), wall - pageTimes.first(), wall, pageTimes,
                    samples.of(window), Map.of(crawl.name(), crawl.usage()), logs.peak(), gcLog(Set.of(crawl.name())));
        }
    }

    /** The first start of all, which makes the cache of classes, does not count. */
    private void makeCache() throws InterruptedException {
        try (BenchProcess cache = BenchProcess.launch("cache", Map.of(), folder.resolve("logs"), time, "crawl",
                "--help")) {
            await(cache);
        }
    }

    private void await(BenchProcess crawl) throws InterruptedException {
        int status = crawl.await();
        if (status != 0) {
            throw new IllegalStateException("the crawl ended with status " + status + ": " + crawl.lastError());
        }
    }

    private double since(long millis) {
        return (time.now().toEpochMilli() - millis) / 1e3;
    }

    private PageTimes pageTimes(long begun) {
        Asked asked = Asked.at(start.web());
        return new PageTimes((asked.first() - begun) / 1e3, (asked.last() - begun) / 1e3);
    }

    private GcLog gcLog(Set<String> processes) {
        return GcLog.of(folder.resolve("logs"), processes);
    }

    private CrawlSamples samples(Supplier<Usage> usage) {
        return new CrawlSamples(start.web(), usage, time);
    }

    /** Runs {@code ./trawl crawl}. */
    Finished inOneJvm() throws InterruptedException {
        makeCache();
        List<String> arguments = new ArrayList<>(List.of("crawl", "--depth", Integer.toString(start.depth()), "--delay",
                "0ms", "--allow-network", "127.0.0.0/8", "--out", folder.resolve("pages").toString(), "--data",
                folder.resolve("data").toString(), "--quiet", "--json"));
        arguments.addAll(start.seeds());
        long begun = time.now().toEpochMilli();
        try (LogFiles logs = new LogFiles(folder.resolve("data"), time);
                BenchProcess crawl = BenchProcess.launch("one JVM", Map.of(), folder.resolve("logs"), time,
                        arguments.toArray(String[]::new));
                CrawlSamples samples = samples(crawl::usage)) {
            await(crawl);
            JsonNode summary = Json.mapper().readTree(crawl.printed());
            return new Finished(summary.path("totals").path("pages").asLong(), summary.path("seconds").asDouble(),
                    since(begun), pageTimes(begun), samples.of(window), Map.of(crawl.name(), crawl.usage()),
                    logs.peak(), gcLog(Set.of(crawl.name())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs servers, a coordinator and workers of each kind, all started before the crawl. */
    Finished inAFleet() throws InterruptedException {
        makeCache();
        long begun = time.now().toEpochMilli();
        try (LogFiles logs = new LogFiles(folder.resolve("data"), time);
                BenchFleet fleet = new BenchFleet(folder, time)) {
            fleetOptions.startWorkers(fleet);
            fleet.define(BenchCrawl.of(start));
            try (CrawlSamples samples = samples(() -> fleet.usage().values().stream().reduce(Usage.NONE, Usage::and))) {
                CrawlSummary end = finish(fleet);
                Map<String, Usage> usage = fleet.usage();
                fleet.close();
                return new Finished(end.totals().pages(), end.elapsed().toMillis() / 1000.0, since(begun),
                        pageTimes(begun), samples.of(window), usage, logs.peak(), gcLog(usage.keySet()));
            }
        }
    }

    private static CrawlSummary finish(BenchFleet fleet) {
        return Awaitility.await("the end of the crawl").atMost(CRAWL_TIMEOUT)
                .until(() -> fleet.client().crawl(BenchFleet.CRAWL),
                        crawl -> crawl.filter(last -> last.state() == CrawlState.STOPPED).isPresent())
                .orElseThrow();
    }

    /** The options that say how many workers a fleet has. */
    static final class FleetOptions {
        @Option(names = "--downloaders", paramLabel = "N", defaultValue = "1", description = "Of the kind fleet. Default: ${DEFAULT-VALUE}.")
        private int downloaders;

        @Option(names = "--analyzers", paramLabel = "N", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
        private int analyzers;

        @Option(names = "--pipelines", paramLabel = "N", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
        private int pipelines;

        @Option(names = "--heap", paramLabel = "SIZE", defaultValue = "512m", description = "The heap of each worker. Default: ${DEFAULT-VALUE}.")
        private String heap = "";

        void startWorkers(BenchFleet fleet) {
            fleet.scale(new StageCounts(downloaders, analyzers, pipelines), heap, Map.of());
        }
    }
}
