package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.e2e.ChaosFleet.Kind;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.Output;
import io.trawl.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Redis, then Kafka, does not answer for longer than every session, lease and request lasts, but is not gone: its
 * process is stopped, so connections stay open and silent. A process that needs it reports this and waits, without
 * filling the log, and resumes; the output is exact. {@code -Doutage.seconds=60} makes it a whole minute each. The logs
 * stay in {@code target/outage}.
 */
class OutageIT {
    private static final CrawlId CRAWL = new CrawlId("outage");
    private static final int PAGES = 1200;
    private static final int DEPTH = 10;
    private static final Duration OUTAGE = Duration.ofSeconds(Integer.getInteger("outage.seconds", 15));
    /** Per process and outage; a process that logs every attempt reaches hundreds after some seconds. */
    private static final int MOST_LINES = 60;
    private static final int MOST_TRACES = 3;
    private final Time time = Time.system();

    @Test
    void processesReportThatTheyWaitForAnUnresponsiveRedisOrKafkaAndTheOutputIsExact() throws Exception {
        Path folder = Path.of("target", "outage", Long.toString(time.now().toEpochMilli())).toAbsolutePath();
        try (FakeWeb web = FakeWeb.start(12);
                ChaosFleet fleet = new ChaosFleet(folder, 1,
                        Map.of("TRAWL_GRACE", "10s", "TRAWL_DOWNLOADER_LEASE", "4s"))) {
            LinkGraph graph = LinkGraph.serve(web, PAGES, 4, 17);
            fleet.ask(client -> client.define(CRAWL, definition(graph), false));
            await().until(() -> web.visits().size() > 50);

            outage(fleet, Set.of(Kind.DOWNLOADER, Kind.ANALYZER), fleet::stallRedis, () -> {
                awaitNotes(fleet, true);
                await().untilAsserted(() -> assertThat(fleet.printed().values()).as("processes that note it")
                        .filteredOn(lines -> lines.stream()
                                .anyMatch(line -> line.contains("ModuleNotes: waiting for redis since")))
                        .hasSizeGreaterThanOrEqualTo(Kind.values().length));
            }, fleet::resumeRedis);
            awaitNotes(fleet, false);
            int before = web.visits().size();
            await().until(() -> web.visits().size() > before + 50);
            assertThat(web.visits().size()).as("the crawl has work left").isLessThan(PAGES * 3 / 4);
            outage(fleet, Set.of(Kind.values()), fleet::stallBroker, () -> {
                try (Api api = new Api(fleet.coordinator())) {
                    StatusLines.say(api, "C[0-9]+.*: waiting for kafka since .*");
                    StatusLines.say(api, "D[0-9]+.*: waiting for kafka since .*");
                    // An analyzer may be in the middle of a transaction.
                    StatusLines.say(api, "A[0-9]+.*: waiting for (kafka|answer) since .*");
                }
            }, fleet::resumeBroker);

            CrawlSummary end = await().pollInterval(Duration.ofSeconds(1)).until(
                    () -> fleet.ask(client -> client.crawl(CRAWL).orElseThrow()),
                    crawl -> crawl.state() == CrawlState.STOPPED);
            assertThat(end.end()).map(End::reason).contains(EndReason.FINISHED);
            GraphChecks.output(graph, List.of(graph.url(0)), DEPTH, new Output(fleet.out(), CRAWL + "-1"));
            fleet.checkRunning();
            GraphChecks.accounted(end.totals(), new Output(fleet.out(), CRAWL + "-1"));
            System.out
                    .println("outages of " + OUTAGE.toSeconds() + " s: " + GraphChecks.cost(web) + "; " + end.totals());
        }
    }

    private interface Step {
        void take() throws IOException, InterruptedException;
    }

    private static void awaitNotes(ChaosFleet fleet, boolean silent) {
        await().until(() -> fleet.ask(client -> client.crawl(CRAWL).orElseThrow()).notes(),
                notes -> silent == notes.stream().anyMatch(note -> note.startsWith("Redis has not answered since ")));
    }

    /**
     * @param concerned the kinds that cannot work without it, and must report so
     * @param during what is to be seen meanwhile
     */
    private void outage(ChaosFleet fleet, Set<Kind> concerned, Step begin, Step during, Step end) throws Exception {
        Map<String, List<String>> before = fleet.printed();
        long began = time.nanos();
        begin.take();
        try {
            for (Kind kind : concerned) {
                await().alias(kind + " reports that it waits").until(() -> fleet.ready(kind),
                        each -> each.equals(List.of(503)));
            }
            during.take();
            while (time.nanos() - began < OUTAGE.toNanos()) {
                for (Kind kind : concerned) {
                    assertThat(fleet.ready(kind)).as("%s still waits", kind).containsExactly(503);
                }
                time.pause(Duration.ofMillis(100));
            }
        } finally {
            end.take();
        }
        for (Kind kind : Kind.values()) {
            await().alias(kind + " resumes").until(() -> fleet.ready(kind), each -> each.equals(List.of(200)));
        }
        fleet.printed().forEach((process, lines) -> quiet(process,
                lines.subList(before.getOrDefault(process, List.of()).size(), lines.size()), concerned));
    }

    private static void quiet(String process, List<String> lines, Set<Kind> concerned) {
        long traces = 0;
        for (int i = 1; i < lines.size(); i++) {
            traces += trace(lines.get(i)) && !trace(lines.get(i - 1)) ? 1 : 0;
        }
        System.out.println(process + ": " + lines.size() + " lines, " + traces + " stack traces");
        assertThat(traces).as("stack traces of %s:\n%s", process, String.join("\n", lines))
                .isLessThanOrEqualTo(MOST_TRACES);
        assertThat(lines.size()).as("lines of %s:\n%s", process, String.join("\n", lines))
                .isLessThanOrEqualTo(MOST_LINES);
        if (concerned.stream().anyMatch(kind -> process.contains(kind.name().toLowerCase(java.util.Locale.ROOT)))) {
            assertThat(lines).as("%s reports what it waits for", process)
                    .anyMatch(line -> line.toLowerCase(java.util.Locale.ROOT).contains("waiting for"));
        }
    }

    private static boolean trace(String line) {
        return line.startsWith("\tat ");
    }

    private static CrawlDefinition definition(LinkGraph graph) {
        return Json.read(
                "{\"seeds\": [{\"url\": \"%s\"}], \"limits\": {\"depth\": %d}, \"fetch\": {\"delay\": \"150ms\"}, \"scope\": {\"domains\": [\"%s\"]}}"
                        .formatted(graph.url(0), DEPTH, String.join("\",\"", graph.domains()))
                        .getBytes(StandardCharsets.UTF_8),
                CrawlDefinition.class);
    }
}
