package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.trawl.model.Body;
import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecordException;
import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import io.trawl.model.PolitenessKey;
import io.trawl.model.CrawlId;
import io.trawl.testkit.DamagedRecords;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.Output;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.KeysScanOptions;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.slf4j.LoggerFactory;

/**
 * Whatever other programs write to the topics and to Redis: no process ends, crawls end exactly, and each such record
 * or key costs one line.
 */
class ForeignRecordsIT {
    private static final int DEPTH = 6;
    /** Loggers that warn of leases, polls and answers which come late: a busy machine is enough for that. */
    private static final Set<String> OF_SLOW_MACHINES = Set.of(".PartitionOwnership", ".RequestReader", ".Outage",
            ".BackPressure", ".Worker");
    @TempDir
    private Path out;
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger log = (Logger) LoggerFactory.getLogger("io.trawl");
    private Optional<KafkaFixture> namespace = Optional.empty();

    @BeforeEach
    void listen() {
        // A command that another test has run in this JVM may have switched the log off.
        log.setLevel(Level.INFO);
        lines.start();
        // A command that another test ran in this JVM may have turned the log off.
        log.setLevel(Level.WARN);
        log.addAppender(lines);
    }

    @AfterEach
    void stop() {
        log.detachAppender(lines);
        log.setLevel(null);
    }

    private KafkaFixture fixture() {
        return namespace.orElseThrow();
    }

    @Test
    void foreignRecordsInEveryTopicAndForeignValuesInRedisStopNothing() throws InterruptedException {
        namespace = Optional
                .of(new KafkaFixture(Map.of("trawl.out", out.toString(), "trawl.allow-network", "127.0.0.0/8")));
        try (FakeWeb web = FakeWeb.start(6); OneJvmFleet fleet = new OneJvmFleet(out, fixture())) {
            LinkGraph graph = LinkGraph.serve(web, 300, 4, 23);
            // The crawl does not end before all are written.
            CountDownLatch opens = new CountDownLatch(1);
            web.host(1).hold(opens);
            fleet.client().define(new CrawlId("first"), GraphChecks.definition(graph, DEPTH, "100ms"), false);
            awaitVisits(web, 60);
            lines.list.clear();
            int records = writeForeignRecords();
            opens.countDown();
            assertThat(records).isGreaterThan(3000);
            await().until(() -> !warnings().isEmpty());
            GraphChecks.conserved(fleet.awaitFinished(new CrawlId("first")).totals());
            GraphChecks.output(graph, List.of(graph.url(0)), DEPTH, new Output(out, "first-1"));
            assertQuiet(records);
            awaitAllRead();
            assertThat(fleet.ended()).isEmpty();
        }

        // The next processes find all of it in the topics.
        lines.list.clear();
        try (FakeWeb web = FakeWeb.start(6); OneJvmFleet fleet = new OneJvmFleet(out, fixture())) {
            LinkGraph graph = LinkGraph.serve(web, 300, 4, 24);
            // Slow enough that the crawl is still far from its end when the keys are replaced.
            fleet.client().define(new CrawlId("second"), GraphChecks.definition(graph, DEPTH, "400ms"), false);
            awaitVisits(web, 60);
            int keys = replaceEveryKey();
            await().until(() -> !removed().isEmpty());
            GraphChecks.conserved(fleet.awaitFinished(new CrawlId("second")).totals());
            GraphChecks.outputWithRepeats(graph, List.of(graph.url(0)), DEPTH, new Output(out, "second-1"));
            assertThat(keys).isGreaterThan(20);
            assertThat(removed()).hasSizeLessThanOrEqualTo(keys);
            assertThat(fleet.ended()).isEmpty();
        }
    }

    private static void awaitVisits(FakeWeb web, int visits) {
        await().until(() -> web.visits().size() >= visits);
    }

    // ---- records ----

    /** @return the number of records */
    private int writeForeignRecords() {
        List<ProducerRecord<byte[], byte[]>> all = new ArrayList<>();
        var topics = fixture().topics();
        Channels channels = ChannelsBuilder.builder().version(1).generation(1)
                .levels(fixture().settings().topics().levels()).partitions(1).politeness(PolitenessKey.HOST)
                .responses(8).items(4).ledger(4).build();
        damaged("seed", Codec::seed).forEach(value -> all.add(record(topics.seeds(), "any", value)));
        topics.requests(channels).forEach(topic -> damaged("request", Codec::request)
                .forEach(value -> all.add(record(topic, "example.org:443", value))));
        damaged("response-page", value -> Codec.response(value, Body.EMPTY)).forEach(value -> {
            ProducerRecord<byte[], byte[]> response = record(topics.responses(), "example.org:443", new byte[0]);
            response.headers().add(new RecordHeader(Codec.RESPONSE_HEADER, value));
            all.add(response);
        });
        damaged("item", Codec::item).forEach(value -> all.add(record(topics.items(), "ab12", value)));
        damaged("ledger", Codec::ledger).forEach(value -> all.add(record(topics.ledger(), "docs", value)));
        damaged("error", Codec::error).forEach(value -> all.add(record(topics.errors(), "docs", value)));
        damaged("error", Codec::error).forEach(value -> all.add(record(topics.events(), "docs", value)));
        Stream.of("crawl", "domains", "stop-crawl", "ends", "channels")
                .forEach(type -> damaged("control-" + type, Codec::control)
                        .forEach(value -> all.add(record(topics.control(), type + "/docs", value))));
        all.addAll(special());
        try (Producer<byte[], byte[]> producer = fixture().producer()) {
            // Two requests of the present run: it ends only when their damaged records are answered.
            producer.send(record(topics.ledger(), "first", bytes(
                    "{\"run\":\"first/1\",\"emitted\":[[\"00000000000000fe\",0,1],[\"00000000000000fd\",1,1]]}")));
            producer.flush();
            all.forEach(producer::send);
            producer.flush();
        }
        return all.size();
    }

    /** Tombstones, records without a key or a header, and valid records about what does not exist. */
    private List<ProducerRecord<byte[], byte[]>> special() {
        var topics = fixture().topics();
        List<ProducerRecord<byte[], byte[]>> all = new ArrayList<>();
        Stream.of(topics.seeds(), topics.requests(1, 0), topics.responses(), topics.items(), topics.ledger(),
                topics.errors(), topics.events(), topics.control())
                .forEach(topic -> all.add(record(topic, "crawl/nothing", null)));
        Stream.of(topics.seeds(), topics.requests(1, 0), topics.responses(), topics.items(), topics.ledger(),
                topics.errors(), topics.events()).forEach(topic -> {
                    all.add(new ProducerRecord<>(topic, null, bytes("{}")));
                    all.add(new ProducerRecord<>(topic, new byte[]{-1, 0, 9}, new byte[0]));
                });
        all.add(record(topics.responses(), "x:80", bytes("no header")));
        all.add(record(topics.control(), "crawl/gone",
                bytes("{\"type\":\"deleted\",\"run\":\"gone/1\",\"version\":1,\"at\":\"2026-01-02T03:04:05Z\"}")));
        all.add(record(topics.control(), "ends/docs",
                bytes("{\"type\":\"ends\",\"run\":\"docs/3\",\"version\":1,\"ends\":{\"999\":5}}")));
        all.add(record(topics.control(), "what/docs", bytes("{\"type\":\"what\",\"run\":\"docs/3\",\"version\":1}")));
        all.add(record(topics.control(), "crawl/docs", bytes("{\"type\":\"crawl\",\"version\":1}")));
        // A set of domains that does not exist.
        String request = "{\"id\":\"00000000000000fe\",\"run\":\"first/1\",\"url\":\"http://x.invalid/\",\"host\":\"x.invalid:80\",\"domains\":9223372036854775806}";
        ProducerRecord<byte[], byte[]> response = record(topics.responses(), "x.invalid:80", new byte[0]);
        response.headers().add(new RecordHeader(Codec.RESPONSE_HEADER, bytes("{\"schema\":99,\"request\":" + request
                + ",\"outcome\":{\"kind\":\"PAGE\",\"status\":200},\"mid\":\"D3|10.0.0.7:8081\",\"fetchedAt\":\"2026-01-02T03:04:05Z\"}")));
        all.add(response);
        // Depth -1 and -5 in the present run.
        IntStream.of(-1, -5, Integer.MIN_VALUE).forEach(depth -> all.add(record(topics.requests(1, 1), "x.invalid:80",
                bytes("{\"id\":\"00000000000000fd\",\"run\":\"first/1\",\"url\":\"http://x.invalid/\",\"host\":\"x.invalid:80\",\"depth\":"
                        + depth + "}"))));
        return all;
    }

    /**
     * The damaged versions of a record that cannot be read; the others are valid records, which only access control
     * keeps out.
     */
    private static List<byte[]> damaged(String name, Consumer<byte[]> decoder) {
        return DamagedRecords.of(DamagedRecords.recorded(name)).stream().filter(value -> {
            try {
                decoder.accept(value);
                return false;
            } catch (MalformedRecordException e) {
                return true;
            }
        }).toList();
    }

    private static ProducerRecord<byte[], byte[]> record(String topic, String key, byte @Nullable [] value) {
        return new ProducerRecord<>(topic, bytes(key), value);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    // ---- the log ----

    private List<String> warnings() {
        return List.copyOf(lines.list).stream().filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .filter(line -> OF_SLOW_MACHINES.stream().noneMatch(line.getLoggerName()::endsWith))
                .map(ILoggingEvent::getFormattedMessage).toList();
    }

    private List<String> removed() {
        return warnings().stream().filter(line -> line.contains("held a value of another type")).toList();
    }

    /** Each record costs at most one line per reader, without a stack trace; each line names the place. */
    private void assertQuiet(int records) {
        assertThat(List.copyOf(lines.list)).filteredOn(line -> line.getThrowableProxy() != null)
                .extracting(ILoggingEvent::getFormattedMessage).isEmpty();
        List<String> skipped = warnings();
        // Four processes read control; ledger, errors and events have one reader each, and events a second one in the
        // leader.
        assertThat(skipped).hasSizeLessThan(4 * records);
        assertThat(skipped).filteredOn(line -> !line.matches("(?s)skipping the record in \\S+-\\d+ at offset \\d+: .*"))
                .isEmpty();
    }

    /** The downloader and the analyzer report theirs in {@code errors}, and count them. */
    private void awaitAllRead() {
        await().until(() -> fixture().records(fixture().topics().errors()).stream().filter(
                r -> r.value() != null && new String(r.value(), StandardCharsets.UTF_8).contains("\"MALFORMED\""))
                .count() > 2000);
    }

    // ---- Redis ----

    /** Replaces every key by a value of another type. @return the number of keys */
    private int replaceEveryKey() {
        Config config = new Config().setCodec(StringCodec.INSTANCE);
        config.useSingleServer().setAddress(fixture().settings().redis().url());
        RedissonClient redis = Redisson.create(config);
        try {
            List<String> keys = new ArrayList<>();
            redis.getKeys().getKeys(KeysScanOptions.defaults().pattern(fixture().topics().namespace() + "*"))
                    .forEach(keys::add);
            for (String key : keys) {
                boolean text = redis.getKeys().getType(key) == org.redisson.api.RType.OBJECT;
                // In one command, since the processes go on writing.
                if (text) {
                    redis.getList("foreign").add("foreign");
                    redis.getList("foreign").rename(key);
                } else {
                    redis.getBucket(key).set("foreign");
                }
            }
            return keys.size();
        } finally {
            redis.shutdown();
        }
    }
}
