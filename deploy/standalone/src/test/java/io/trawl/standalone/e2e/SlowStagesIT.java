package io.trawl.standalone.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import io.trawl.api.Page;
import io.trawl.api.Parsed;
import io.trawl.api.ResponseParser;
import io.trawl.api.Sink;
import io.trawl.api.SinkBatch;
import io.trawl.codec.Json;
import io.trawl.control.Channels;
import io.trawl.definition.CrawlDefinition;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.FleetSummary;
import io.trawl.coordinator.summary.QueueSummary;
import io.trawl.model.CrawlId;
import io.trawl.model.ModuleKind;
import io.trawl.module.StageState;
import io.trawl.module.StageState.HoldReason;
import io.trawl.module.StageState.HoldingFor;
import io.trawl.module.StageState.Phase;
import io.trawl.standalone.client.Api;
import io.trawl.testkit.Behaviour;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.Output;
import io.trawl.testkit.SeenRequest;
import io.trawl.time.Time;
import io.trawl.worker.Worker;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A parser or a sink that is slow for a while holds up the stages before it, within bounds, also while the channels are
 * replaced, and has no other effect (S14). For longer: {@code -Dslow.seconds=60}.
 */
@Tag("nightly")
class SlowStagesIT {
    private static final CrawlId CRAWL = new CrawlId("slow");
    private static final StageState FOR_ANALYZERS = new HoldingFor(HoldReason.ANALYZERS);
    private static final StageState FOR_PIPELINES = new HoldingFor(HoldReason.PIPELINES);
    private static final long SECONDS = Long.getLong("slow.seconds", 0);
    private static final int HOSTS = 4;
    private static final Duration DELAY = Duration.ofMillis(100);
    private static final int LIMIT = 60;
    private static final int BATCH = 10;
    private static final int SLOTS = 8;
    /**
     * Between two looks at a backlog, a second and what a look takes on a busy machine, hosts answer so many requests;
     * and each has one in flight.
     */
    private static final long BETWEEN_LOOKS = HOSTS * (Duration.ofSeconds(5).dividedBy(DELAY) + 1);
    private static final long MOST_RESPONSES = LIMIT + BETWEEN_LOOKS;
    /**
     * Between two looks analyzers take all responses that wait, and others that come; each may be a batch, with an item
     * and the marker of its transaction.
     */
    private static final long MOST_ITEMS = LIMIT + 2 * (MOST_RESPONSES + BETWEEN_LOOKS);
    private final Time time = Time.system();
    private final Gate gate = new Gate();
    private final FakeWeb web = FakeWeb.start(HOSTS);
    @TempDir
    private Path folder;
    private final int nodes = Math.toIntExact(500 + 20 * SECONDS);
    private final LinkGraph graph = LinkGraph.serve(web, nodes, 3, 17);
    private final List<String> seeds = IntStream.range(0, nodes * 2 / 3).mapToObj(graph::url).toList();

    @BeforeEach
    void serve() {
        web.hosts().forEach(host -> host.route(Gate.PATH, gate));
    }

    @AfterEach
    void stop() {
        web.close();
    }

    @Test
    void aSlowParserHoldsDownloadersAndAfterwardsNothingIsMissing() throws Exception {
        crawl(Map.of(ResponseParser.class, SlowParser.class), "", Map.of("partitions", 5, "items", 3), FOR_ANALYZERS,
                Phase.RUNNING);
    }

    @Test
    void aSlowSinkHoldsAnalyzersAndTheseDownloadersAndAfterwardsNothingIsMissing() throws Exception {
        crawl(Map.of(Sink.class, SlowSink.class),
                ", \"sinks\": [{\"type\": \"jsonl\"}, {\"type\": \"test.slow\", \"name\": \"slow\", \"settings\": {\"url\": \""
                        + web.host(0).url("/") + "\"}}]",
                Map.of("partitions", 5, "items", 3), FOR_ANALYZERS, FOR_PIPELINES);
        Output output = new Output(folder.resolve("pages"));
        assertThat(gate.ids()).hasSize(output.pages().size() + output.errors().size());
    }

    /** @param analyzer the state that analyzers have at some time while it is slow */
    private void crawl(Map<Class<?>, Class<?>> plugins, String sinks, Map<String, Integer> resize,
            StageState downloader, StageState analyzer) throws Exception {
        Map<String, String> settings = Map.of("trawl.plugins",
                PluginJar.write(folder.resolve("plugins"), plugins).toString(), "trawl.downloader.response-backlog",
                Integer.toString(LIMIT), "trawl.analyzer.item-backlog", Integer.toString(LIMIT),
                "trawl.downloader.concurrency", Integer.toString(SLOTS), "trawl.analyzer.batch",
                Integer.toString(BATCH), "trawl.analyzer.threads", "1", "trawl.analyzer.parse-timeout", "60s");
        // What waits at the gate goes on before the fleet stops.
        try (OneJvmFleet fleet = new OneJvmFleet(folder.resolve("pages"), settings);
                gate;
                Api api = new Api(fleet.address())) {
            Stages stages = new Stages(fleet.worker(ModuleKind.DOWNLOADER), fleet.worker(ModuleKind.ANALYZER));
            fleet.client().define(CRAWL, definition(sinks), false);
            Readings readings = new Readings(api, time, () -> visits().size(), stages, downloader, analyzer);
            await().pollInterval(Duration.ofMillis(100)).until(readings::held);
            StatusLines.say(api, "1 downloader holding for analyzers");
            long heap = heap();
            long version = channels(api).version();
            api.post("/api/v1/queue/resize", resize);
            long began = time.nanos();
            int passed = gate.passed();
            await().pollInterval(Duration.ofMillis(200)).timeout(Duration.ofSeconds(300 + SECONDS))
                    .until(() -> readings.longEnough() && gate.passed() - passed >= 3 * BATCH && replaced(api, version)
                            && time.nanos() - began >= Duration.ofSeconds(SECONDS).toNanos());
            assertThat(readings.responses).isBetween((long) LIMIT, MOST_RESPONSES);
            assertThat(readings.items).isLessThanOrEqualTo(MOST_ITEMS);
            assertThat(readings.fetching).isLessThanOrEqualTo(SLOTS);
            assertThat(readings.analyzing).isLessThanOrEqualTo(BATCH);

            long heapAfter = heap();
            long opened = time.nanos();
            int visits = visits().size();
            gate.open();
            await().pollInterval(Duration.ofMillis(100)).until(() -> stages.downloader.stage().state() == Phase.RUNNING
                    && stages.analyzer.stage().state() == Phase.RUNNING && visits().size() > visits);
            System.out.printf(
                    "slow for %d s: at most %d responses and %d items waited, heap after collections %d -> %d MiB; "
                            + "all stages worked again after %.1f s%n",
                    TimeUnit.NANOSECONDS.toSeconds(opened - began), readings.responses, readings.items, heap >> 20,
                    heapAfter >> 20, (time.nanos() - opened) / 1e9);
            CrawlSummary end = fleet.awaitFinished(CRAWL);
            List<SeenRequest> after = visits().stream().filter(visit -> visit.arrived() > opened).toList();
            long first = after.stream().mapToLong(SeenRequest::arrived).min().orElseThrow();
            long last = after.stream()
                    .collect(Collectors.groupingBy(SeenRequest::host, Collectors.summarizingLong(SeenRequest::arrived)))
                    .values().stream().mapToLong(LongSummaryStatistics::getMax).min().orElseThrow();
            System.out.printf(
                    "%.1f s later the end was known; in this time %d requests, the first after %.1f s, "
                            + "then %.1f/s until the first host had no more%n",
                    (time.nanos() - opened) / 1e9, after.size(), (first - opened) / 1e9,
                    after.stream().filter(visit -> visit.arrived() <= last).count() * 1e9 / (last - first));
            GraphChecks.output(graph, seeds, 1, new Output(folder.resolve("pages")));
            GraphChecks.accounted(end.totals(), new Output(folder.resolve("pages")));
        }
    }

    private List<SeenRequest> visits() {
        return web.visits().stream().filter(visit -> !visit.path().equals(Gate.PATH)).toList();
    }

    private CrawlDefinition definition(String sinks) {
        String list = seeds.stream().map(url -> "{\"url\": \"" + url + "\"}").collect(Collectors.joining(","));
        String json = "{\"seeds\": [" + list + "], \"limits\": {\"depth\": 1}, \"fetch\": {\"delay\": \""
                + DELAY.toMillis() + "ms\"}" + sinks + "}";
        return Json.read(json.getBytes(StandardCharsets.UTF_8), CrawlDefinition.class);
    }

    private static boolean replaced(Api api, long version) throws InterruptedException {
        Channels now = channels(api);
        return now.version() > version && now.generation() > 1 && now.replaced().isEmpty();
    }

    private static Channels channels(Api api) throws InterruptedException {
        return api.get("/api/v1/summary").as(FleetSummary.class).channels().orElseThrow();
    }

    private static long heap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private record Stages(Worker downloader, Worker analyzer) {}

    /** The largest numbers while a stage is slow, and whether the stages before it have held. */
    private static final class Readings {
        private static final int POLLS = 10;
        private final Api api;
        private final Time time;
        private final LongSupplier visits;
        private final Stages stages;
        private final StageState downloader;
        private final StageState analyzer;
        private boolean downloaderHeld;
        private boolean analyzerHeld;
        private int rested;
        private int polls;
        private long seenAt;
        private long fetched;
        private long responses;
        private long items;
        private int fetching;
        private long analyzing;
        private int full;

        /** @param visits how often hosts were asked */
        Readings(Api api, Time time, LongSupplier visits, Stages stages, StageState downloader, StageState analyzer) {
            this.api = api;
            this.time = time;
            this.visits = visits;
            this.stages = stages;
            this.downloader = downloader;
            this.analyzer = analyzer;
        }

        boolean held() throws InterruptedException {
            FleetSummary fleet = api.get("/api/v1/summary").as(FleetSummary.class);
            assertThat(fleet.crawls()).as("it is still slow").allMatch(crawl -> crawl.end().isEmpty());
            QueueSummary queue = fleet.queue();
            long waiting = queue.responses().backlog().orElse(0L);
            responses = Math.max(responses, waiting);
            items = Math.max(items, queue.items().unfinished().orElse(0L));
            long began = time.nanos();
            long before = visits.getAsLong();
            int slots = slots();
            fetching = Math.max(fetching, slots);
            rests(slots == 0 && stages.downloader.stage().state().equals(downloader), before, began);
            analyzing = Math.max(analyzing, stages.analyzer.summary().counts().handling());
            full += waiting >= LIMIT * 8 / 10 ? 1 : 0;
            downloaderHeld |= stages.downloader.stage().state().equals(downloader);
            analyzerHeld |= stages.analyzer.stage().state().equals(analyzer);
            return downloaderHeld && analyzerHeld && waiting >= LIMIT;
        }

        /**
         * Two looks of a stage are a second apart, so one that held at both of two polls that are closer held in
         * between, and nothing was fetched. The first two polls do not count: the frontier learns of a hold a moment
         * later.
         */
        private void rests(boolean holds, long before, long began) {
            long now = time.nanos();
            if (holds && polls > 2 && now - seenAt < Duration.ofSeconds(1).toNanos()) {
                assertThat(before).as("fetched while it holds").isEqualTo(fetched);
                rested++;
            }
            polls = holds ? polls + 1 : 0;
            seenAt = began;
            fetched = visits.getAsLong();
        }

        private int slots() {
            return (int) requireNonNull(
                    ((Map<?, ?>) stages.downloader.summary().extra().getOrDefault("slots", Map.of("used", 0)))
                            .get("used"));
        }

        boolean longEnough() throws InterruptedException {
            held();
            return full >= POLLS && rested >= POLLS / 2;
        }
    }

    /** What takes its time for each item until it is opened. */
    private static final class Gate implements Behaviour, AutoCloseable {
        private static final String PATH = "/gate";
        private static final long MILLIS_EACH = 100;
        private final CountDownLatch opened = new CountDownLatch(1);
        private final AtomicInteger passed = new AtomicInteger();
        private final Set<String> ids = ConcurrentHashMap.newKeySet();

        /** Waits here for each of the items. */
        static void pass(URI of, List<String> items) throws IOException {
            HttpURLConnection call = (HttpURLConnection) of.resolve(PATH).toURL().openConnection();
            call.setDoOutput(true);
            try (OutputStream out = call.getOutputStream()) {
                out.write(String.join("\n", items).getBytes(StandardCharsets.UTF_8));
            }
            if (call.getResponseCode() != 204) {
                throw new IOException("the gate answers " + call.getResponseCode());
            }
        }

        @Override
        public void answer(HttpExchange exchange) throws IOException, InterruptedException {
            for (String id : new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                opened.await(MILLIS_EACH, TimeUnit.MILLISECONDS);
                ids.add(id);
                passed.incrementAndGet();
            }
            exchange.sendResponseHeaders(204, -1);
        }

        void open() {
            opened.countDown();
        }

        @Override
        public void close() {
            open();
        }

        int passed() {
            return passed.get();
        }

        Set<String> ids() {
            return Set.copyOf(ids);
        }
    }

    /** A parser that adds nothing and takes its time. */
    public static final class SlowParser implements ResponseParser {
        @Override
        public String name() {
            return "slow";
        }

        @Override
        public boolean handles(Page page) {
            return true;
        }

        @Override
        public Parsed parse(Page page) throws IOException {
            Gate.pass(URI.create(page.url()), List.of(page.url()));
            return Parsed.fields(Map.of());
        }
    }

    /** A sink that takes its time for each item. */
    public static final class SlowSink implements Sink {
        @Override
        public String type() {
            return "test.slow";
        }

        @Override
        public void store(SinkBatch batch) throws IOException {
            Gate.pass(URI.create(String.valueOf(batch.settings().get("url"))),
                    batch.items().stream().map(each -> each.item().id()).toList());
        }
    }
}
