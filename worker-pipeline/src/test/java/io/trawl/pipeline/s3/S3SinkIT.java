package io.trawl.pipeline.s3;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.api.SinkBatch;
import io.trawl.api.SinkBatch.PlacedItem;
import io.trawl.api.SinkContract;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.read.ItemReader.ItemQuery;
import io.trawl.pipeline.read.ItemReader.ReadPage;
import io.trawl.pipeline.read.SinkFileReader;
import io.trawl.pipeline.remote.BusyProxy;
import io.trawl.pipeline.remote.ChunkBatches;
import io.trawl.pipeline.remote.ServerProcess;
import io.trawl.pipeline.spi.StoredFiles;
import io.trawl.pipeline.remote.BusyProxy.Fault;
import io.trawl.testkit.ManualTime;
import io.trawl.time.Time;
import io.trawl.testkit.RandomSeed;
import io.trawl.pipeline.sink.SinkFolder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.zip.GZIPInputStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sink against a real server of S3. */
class S3SinkIT {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final CrawlVariables SECRETS = new CrawlVariables(
            Map.of("TRAWL_SECRET_KEY", "key", "TRAWL_SECRET_WORD", "word"));
    @TempDir
    static Path folder;
    /** Of this test, unless another one is named. */
    private static @Nullable ServerProcess server;
    private static BusyProxy proxy;

    @BeforeAll
    static void start() throws Exception {
        String elsewhere = System.getProperty("trawl.s3", "");
        if (!elsewhere.isEmpty()) {
            proxy = new BusyProxy(URI.create(elsewhere));
            return;
        }
        server = S3Server.start(folder);
        proxy = new BusyProxy(requireNonNull(server).url());
    }

    @AfterAll
    static void stop() throws Exception {
        if (proxy != null) {
            proxy.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private static S3Sink sink() {
        return sink(Time.system());
    }

    private static S3Sink sink(Time time) {
        return new S3Sink(SECRETS, Map.of(), () -> "log", Duration.ofSeconds(20), time);
    }

    private static Map<String, Object> settings(String prefix) {
        return Map.of("endpoint", proxy.url(), "bucket", "bucket", "prefix", prefix + "/", "accessKey",
                "${env:TRAWL_SECRET_KEY}", "secretKey", "${env:TRAWL_SECRET_WORD}");
    }

    private static SinkBatch batch(Map<String, Object> settings, long from, long to) {
        return new SinkBatch("docs", "s3", settings, 3,
                LongStream.rangeClosed(from, to).mapToObj(position -> new PlacedItem(position, new Item("id" + position,
                        "kid" + position, "docs/1", ItemKind.PAGE, "http://h/" + position, Map.of("n", position))))
                        .toList());
    }

    /** The objects, by key. */
    private static Map<String, byte[]> objects(String prefix) throws Exception {
        S3Bucket bucket = S3Bucket.of(settings(prefix), SECRETS, Map.of(), Duration.ofSeconds(20));
        Map<String, byte[]> objects = new TreeMap<>();
        String after = prefix;
        for (List<String> keys = keys(bucket, prefix, after); !keys.isEmpty(); keys = keys(bucket, prefix, after)) {
            for (String key : keys) {
                URI at = URI.create(bucket.url() + "/" + key);
                HttpRequest.Builder request = HttpRequest.newBuilder(at);
                bucket.signature().orElseThrow().headers("GET", at, Map.of(), new byte[0], Time.system().now())
                        .forEach(request::header);
                objects.put(key, HTTP.send(request.build(), HttpResponse.BodyHandlers.ofByteArray()).body());
            }
            after = keys.getLast();
        }
        objects.remove(prefix + "/.trawl-created-once");
        return objects;
    }

    private static List<String> keys(S3Bucket bucket, String prefix, String after) throws Exception {
        return S3Bucket.keys(HTTP
                .send(bucket.list(prefix + "/", after, Time.system()), HttpResponse.BodyHandlers.ofString()).body());
    }

    private static List<String> ids(String prefix) throws Exception {
        List<String> ids = new ArrayList<>();
        for (byte[] object : objects(prefix).values()) {
            new String(object, StandardCharsets.UTF_8).lines()
                    .forEach(line -> ids.add(line.replaceAll("\\{\"id\":\"([^\"]+)\".*", "$1")));
        }
        return ids;
    }

    private static List<String> expected(long from, long to) {
        return LongStream.rangeClosed(from, to).mapToObj(position -> "id" + position).toList();
    }

    @Test
    void theSinkKeepsTheContract() throws Exception {
        SinkContract.check(S3SinkIT::sink, settings("contract"), () -> ids("contract"));
    }

    @Test
    void objectsHaveTheFormatOfFilesAndNamesInTheOrderOfTheItems() throws Exception {
        Map<String, Object> settings = new HashMap<>(settings("named"));
        settings.putAll(Map.of("format", "csv", "compress", "gzip", "fields", List.of("n", "url")));
        try (S3Sink sink = sink()) {
            sink.store(batch(settings, 0, 1));
            sink.store(batch(settings, 40, 41));
        }
        Map<String, byte[]> objects = objects("named");
        assertThat(objects).containsOnlyKeys("named/docs/s3-03-836ff184-00000000000000000000.csv.gz",
                "named/docs/s3-03-836ff184-00000000000000000002.csv.gz");
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(objects.values().iterator().next()))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("n,url\n0,http://h/0\n1,http://h/1\n");
        }
    }

    @Test
    void theChunksOfAnItemAreInOneObjectOnceAndInTheirOrderThoughTheyComeAgain() throws Exception {
        Map<String, Object> settings = settings("chunks");
        try (S3Sink sink = sink(); S3Sink next = sink()) {
            sink.store(new SinkBatch("docs", "s3", settings, 3, ChunkBatches.of(0, 2)));
            next.store(new SinkBatch("docs", "s3", settings, 3, ChunkBatches.of(1, 4)));
        }
        assertThat(ids("chunks")).isEqualTo(ChunkBatches.ids(ChunkBatches.of(0, 4)));
        assertThat(objects("chunks").values()).hasSize(2)
                .allSatisfy(object -> assertThat(new String(object, StandardCharsets.UTF_8).lines().toList())
                        .first(InstanceOfAssertFactories.STRING).contains("\"ordinal\":1,"));
    }

    private static PlacedItem item(long position, String run, ItemKind kind) {
        return new PlacedItem(position, new Item("id" + position, "kid" + position, run, kind, "http://h/" + position,
                kind == ItemKind.ERROR ? Map.of("kind", "HTTP") : Map.of()));
    }

    private static List<String> read(SinkDefinition sink, String run, ItemKind kind, String url) throws Exception {
        SinkFileReader reader = new SinkFileReader(new SinkFolder(folder, "a1"), Time.system()::nanos);
        StoredFiles objects = new S3Objects(SECRETS, Map.of(), Duration.ofSeconds(20), Time.system()).of(sink,
                CrawlRun.parse(run));
        List<String> ids = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        boolean complete = false;
        while (!complete) {
            ReadPage page = reader.page(new ItemQuery(CrawlRun.parse(run), EnumSet.of(kind), url, false, cursor, 3),
                    objects);
            page.lines().forEach(line -> ids.add(Json.read(line, JsonNode.class).path("id").asText()));
            cursor = page.head().next();
            complete = page.head().complete();
        }
        return ids;
    }

    @Test
    void theItemsOfARunAreReadBackFromItsObjects() throws Exception {
        for (String form : List.of("jsonl", "csv")) {
            Map<String, Object> settings = new HashMap<>(settings("read-" + form));
            settings.put("format", form);
            List<String> fields = List.of("id", "epoch", "url", "kind");
            SinkDefinition definition = new SinkDefinition("s3", Optional.of("kept"), Optional.of("gzip"), List.of(),
                    fields, Map.copyOf(settings), Optional.empty());
            settings.put(SinkDefinition.FIELDS, fields);
            settings.put(SinkDefinition.COMPRESS, "gzip");
            try (S3Sink sink = sink()) {
                for (String name : List.of("kept", "kept-2")) {
                    sink.store(new SinkBatch("docs", name, settings, 3, LongStream.range(0, 8)
                            .mapToObj(n -> item(n, "docs/1", n == 5 ? ItemKind.ERROR : ItemKind.PAGE)).toList()));
                    sink.store(new SinkBatch("docs", name, settings, 3, LongStream.range(8, 12)
                            .mapToObj(n -> item(n, n < 10 ? "docs/1" : "docs/2", ItemKind.PAGE)).toList()));
                }
            }
            assertThat(read(definition, "docs/1", ItemKind.PAGE, "")).as(form).containsExactly("id0", "id1", "id2",
                    "id3", "id4", "id6", "id7", "id8", "id9");
            assertThat(read(definition, "docs/1", ItemKind.ERROR, "")).containsExactly("id5");
            assertThat(read(definition, "docs/2", ItemKind.PAGE, "")).containsExactly("id10", "id11");
            assertThat(read(definition, "docs/1", ItemKind.PAGE, "/7")).containsExactly("id7");
        }
    }

    @Test
    void aServerThatAsksToWaitGetsEachItemOnceAfterIt() throws Exception {
        ManualTime time = ManualTime.flowing();
        try (S3Sink sink = sink(time)) {
            sink.store(batch(settings("busy"), 0, 9));
            proxy.next(new Fault("PUT", 503, "1"), new Fault("PUT", 429, ""));
            sink.store(batch(settings("busy"), 10, 19));
            proxy.next(new Fault("PUT", 503, "20"));
            assertThatThrownBy(() -> sink.store(batch(settings("busy"), 20, 29))).isInstanceOf(IOException.class)
                    .hasMessageEndingWith("answers 503");
            time.advance(Duration.ofSeconds(20));
            proxy.next(new Fault("PUT", 0, ""));
            assertThatThrownBy(() -> sink.store(batch(settings("busy"), 20, 29))).as("stored, and the answer is lost")
                    .isInstanceOf(IOException.class);
            sink.store(batch(settings("busy"), 20, 35));
        }
        assertThat(ids("busy")).isEqualTo(expected(0, 35));
    }

    @Test
    void aServerWithoutConditionalWritesIsRefused() throws Exception {
        try (BusyProxy dropping = new BusyProxy(
                server == null ? URI.create(System.getProperty("trawl.s3", "")) : server.url()); S3Sink sink = sink()) {
            dropping.drops = "If-None-Match";
            Map<String, Object> settings = new HashMap<>(settings("dropping"));
            settings.put("endpoint", dropping.url());
            // The host is signed: what checks signatures refuses what comes through a proxy, and is asked directly in
            // that case.
            assertThatThrownBy(() -> sink.store(batch(settings, 0, 1))).isInstanceOf(IOException.class)
                    .hasMessageContaining("has no conditional writes: it ignores If-None-Match");
        }
    }

    /** A partition changes hands among processes that are killed, paused and wake, while answers are lost. */
    @Test
    void whateverComesAgainOrLateEachItemIsInOneObjectInOrder() throws Exception {
        long seed = RandomSeed.value();
        Random random = new Random(seed);
        long end = 400;
        long committed = 0;
        List<S3Sink> sinks = new ArrayList<>();
        List<Long> at = new ArrayList<>();
        while (committed < end) {
            int which = random.nextInt(sinks.size() + 1);
            if (which == sinks.size()) {
                if (sinks.size() == 4) {
                    sinks.removeFirst().close();
                    at.removeFirst();
                }
                sinks.add(sink());
                at.add(committed);
                which = sinks.size() - 1;
            }
            boolean owner = which == sinks.size() - 1;
            long from = at.get(which);
            if (from >= end) {
                continue;
            }
            long to = Math.min(end - 1, from + random.nextInt(30));
            if (random.nextInt(6) == 0) {
                proxy.next(new Fault("PUT", 0, ""));
            }
            try {
                sinks.get(which).store(batch(settings("random"), from, to));
                at.set(which, to + 1);
                committed = owner && random.nextInt(3) > 0 ? Math.max(committed, to + 1) : committed;
            } catch (IOException e) {
                at.set(which, owner ? committed : from);
            }
        }
        for (S3Sink sink : sinks) {
            sink.close();
        }
        proxy.clear();
        assertThat(ids("random")).as("seed %d", seed).isEqualTo(expected(0, end - 1));
    }

    @Test
    void aKillBeforeOrAfterAnyRequestLosesAndRepeatsNothing() throws Exception {
        int before = proxy.asked.size();
        assertThat(life("undisturbed", 0, 7)).isEqualTo(40);
        int requests = proxy.asked.size() - before;
        for (int n = 0; n < requests; n++) {
            for (boolean reaches : new boolean[]{false, true}) {
                String prefix = "kill" + n + reaches;
                proxy.killAfter(n, reaches);
                long committed = life(prefix, 0, 7);
                proxy.clear();
                assertThat(committed).as("request %d", n).isLessThan(40);
                assertThat(life(prefix, committed, 5)).isEqualTo(40);
                assertThat(ids(prefix)).as("request %d, which reaches the server: %s", n, reaches)
                        .isEqualTo(expected(0, 39));
            }
        }
    }

    /**
     * A process that stores up to position 40, and commits after each second batch. @return what is committed when it
     * ends or dies
     */
    private static long life(String prefix, long from, int batch) throws Exception {
        long committed = from;
        try (S3Sink sink = sink()) {
            for (long at = from, n = 1; at < 40; at += batch, n++) {
                long end = Math.min(40, at + batch);
                sink.store(batch(settings(prefix), at, end - 1));
                committed = n % 2 == 0 || end == 40 ? end : committed;
            }
        } catch (IOException e) {
            return committed;
        }
        return committed;
    }

    @Test
    void aServerThatIsKilledInTheMiddleHasEachItemOnceAfterIt() throws Exception {
        assumeThat(server).as("a server of this test").isNotNull();
        try (S3Sink sink = sink(); S3Sink next = sink()) {
            sink.store(batch(settings("killed"), 0, 9));
            sink.store(batch(settings("killed"), 2_000_000, 2_000_000));
            ServerProcess own = requireNonNull(server);
            own.kill();
            assertThatThrownBy(() -> sink.store(batch(settings("killed"), 2_000_001, 2_000_009)))
                    .isInstanceOf(IOException.class);
            own.startAgain();
            next.store(batch(settings("killed"), 2_000_000, 2_000_005));
            sink.store(batch(settings("killed"), 2_000_001, 2_000_009));
        }
        List<String> all = new ArrayList<>(expected(0, 9));
        all.addAll(expected(2_000_000, 2_000_009));
        assertThat(ids("killed")).isEqualTo(all);
    }
}
