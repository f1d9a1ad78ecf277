package io.trawl.bench.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.bench.fleet.Await;
import io.trawl.bench.fleet.BenchFleet;
import io.trawl.bench.fleet.BenchProcess;
import io.trawl.bench.fleet.LogFiles;
import io.trawl.bench.fleet.Usage;
import io.trawl.codec.Json;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** Runs one crawl in one JVM or in a fleet. Not thread-safe. */
final class TimedCrawls {
    /** The options of the JVM that the launcher sets for a crawl. */
    private static final List<String> LAUNCHER = List.of("-Xmx2g", "-XX:TieredStopAtLevel=1");

    private static final Duration CRAWL_TIMEOUT = Duration.ofHours(2);
    private final Path folder;
    private final List<String> seeds;
    private final Time time;

    /**
     * A crawl that has ended.
     *
     * @param seconds from start to end, as Trawl reports
     * @param wall seconds from the start of the first process to the end of the last
     * @param usage by process
     * @param disk the peak size of Kafka's log files in bytes
     */
    record Finished(long pages, double seconds, double wall, Map<String, Usage> usage, long disk) {
        Finished with(String process, Usage used) {
            Map<String, Usage> more = new LinkedHashMap<>(usage);
            more.put(process, used);
            return new Finished(pages, seconds, wall, more, disk);
        }

        /** The usage of all processes except the web server. */
        Usage trawl() {
            return usage.entrySet().stream().filter(e -> !e.getKey().equals("web server")).map(Map.Entry::getValue)
                    .reduce(Usage.NONE, Usage::and);
        }
    }

    TimedCrawls(Path folder, List<String> seeds, Time time) {
        this.folder = folder;
        this.seeds = seeds;
        this.time = time;
    }

    /** Runs {@code ./trawl crawl} with its own JVM options. */
    Finished inOneJvm() throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("crawl", "--depth", "-1", "--delay", "0ms", "--allow-network",
                "127.0.0.0/8", "--out", folder.resolve("pages").toString(), "--data", folder.resolve("data").toString(),
                "--quiet",
                "--json"));
        arguments.addAll(seeds);
        long begun = time.nanos();
        try (LogFiles logs = new LogFiles(folder.resolve("data"), time);
                BenchProcess crawl = BenchProcess.start("one JVM", "deploy/standalone", LAUNCHER, Map.of(),
                        folder.resolve("logs"), time, arguments.toArray(String[]::new))) {
            int status = crawl.await();
            if (status != 0) {
                throw new IllegalStateException("the crawl ended with status " + status + ", see " + folder);
            }
            JsonNode summary = Json.mapper().readTree(crawl.printed());
            return new Finished(summary.path("totals").path("pages").asLong(), seconds(summary), (time.nanos() - begun) / 1e9,
                    Map.of(crawl.name(), crawl.usage()), logs.peak());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double seconds(JsonNode summary) {
        return summary.path("seconds").asDouble();
    }

    /** Runs servers, a coordinator and one worker of each kind, all started before the crawl. */
    Finished inAFleet() throws InterruptedException {
        long begun = time.nanos();
        CrawlSummary end;
        Map<String, Usage> usage;
        LogFiles logs = new LogFiles(folder.resolve("data"), time);
        try (logs; BenchFleet fleet = new BenchFleet(folder, time)) {
            fleet.worker("worker-pipeline", "512m");
            fleet.worker("worker-analyzer", "512m");
            fleet.worker("worker-downloader", "512m");
            fleet.define(BenchCrawl.ID, BenchCrawl.of(seeds));
            end = finish(fleet);
            usage = fleet.usage();
        }
        return new Finished(end.totals().pages(), end.elapsed().toMillis() / 1000.0, (time.nanos() - begun) / 1e9, usage,
                logs.peak());
    }

    private CrawlSummary finish(BenchFleet fleet) throws InterruptedException {
        AtomicReference<CrawlSummary> last = new AtomicReference<>();
        Await.until("the end of the crawl", CRAWL_TIMEOUT, time, () -> {
            fleet.client().crawl(BenchCrawl.ID).ifPresent(last::set);
            return last.get() != null && last.get().state() == CrawlState.STOPPED;
        });
        return last.get();
    }
}
