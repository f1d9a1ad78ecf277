package io.trawl.pipeline.opensearch;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.api.ItemsRefusedException;
import io.trawl.api.SinkBatch;
import io.trawl.api.SinkBatch.PlacedItem;
import io.trawl.api.SinkContract;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlVariables;
import io.trawl.pipeline.UpsertContract;
import io.trawl.pipeline.remote.BusyProxy;
import io.trawl.pipeline.remote.ChunkBatches;
import io.trawl.pipeline.remote.BusyProxy.Fault;
import io.trawl.pipeline.remote.ServerProcess;
import io.trawl.testkit.ManualTime;
import io.trawl.time.Time;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sink against a real OpenSearch. */
class OpenSearchSinkIT {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final CrawlVariables VARIABLES = new CrawlVariables(Map.of());
    @TempDir
    static Path folder;
    private static ServerProcess server;
    private static BusyProxy proxy;

    @BeforeAll
    static void start() throws Exception {
        server = OpenSearchServer.start(folder);
        proxy = new BusyProxy(server.url());
    }

    @AfterAll
    static void stop() throws Exception {
        if (proxy != null) {
            proxy.close();
            server.close();
        }
    }

    private static OpenSearchSink sink() {
        return new OpenSearchSink(VARIABLES, Duration.ofSeconds(20), Time.system());
    }

    private static Item item(String id, Map<String, Object> fields) {
        return new Item(id, "k" + id, "docs/1", ItemKind.PAGE, "http://h/" + id, fields);
    }

    private static SinkBatch batch(String url, String index, Item... items) {
        return new SinkBatch("docs", "opensearch", Map.of("url", url, "index", index), 0,
                IntStream.range(0, items.length).mapToObj(i -> new PlacedItem(i, items[i])).toList());
    }

    private static JsonNode call(String method, String path, String body) throws Exception {
        HttpResponse<byte[]> answer = HTTP.send(
                HttpRequest.newBuilder(URI.create(server.url() + path)).header("Content-Type", "application/json")
                        .method(method, HttpRequest.BodyPublishers.ofString(body)).build(),
                HttpResponse.BodyHandlers.ofByteArray());
        return Json.mapper().readTree(answer.body());
    }

    private static List<String> ids(String index) throws Exception {
        call("POST", "/" + index + "/_refresh", "");
        List<String> ids = new ArrayList<>();
        call("GET", "/" + index + "/_search?size=1000", "").path("hits").path("hits")
                .forEach(hit -> ids.add(hit.path("_id").asText()));
        return ids.stream().sorted().toList();
    }

    @Test
    void theSinkKeepsTheContract() throws Exception {
        SinkContract.check(OpenSearchSinkIT::sink, Map.of("url", server.url() + "/", "index", "contract-{crawl}"),
                () -> ids("contract-*"));
    }

    @Test
    void theTemplateGivesFieldsTheirTypes() throws Exception {
        try (OpenSearchSink sink = sink()) {
            sink.store(batch(server.url().toString(), "typed", item("t1", Map.of("status", 200, "title", "A",
                    "fetchedAt", "2026-11-22T13:25:53.284Z", "date", "2026-11-22", "metadata", Map.of("a.b", "c")))));
        }
        JsonNode fields = call("GET", "/typed/_mapping", "").path("typed").path("mappings").path("properties");
        assertThat(fields.path("status").path("type").asText()).isEqualTo("long");
        assertThat(fields.path("fetchedAt").path("type").asText()).isEqualTo("date");
        assertThat(fields.path("date").path("type").asText()).as("a text that looks like a date").isEqualTo("text");
        assertThat(fields.path("metadata").path("type").asText()).isEqualTo("flat_object");
        assertThat(call("GET", "/typed/_settings", "").at("/typed/settings/index/gc_deletes").asText())
                .as("how long the version of a deleted document is known").isEqualTo("1h");
    }

    @Test
    void aDocumentThatTheIndexRefusesForGoodIsLeftOutAndNamed() throws Exception {
        Item good = item("good", Map.of("price", Map.of("amount", 3)));
        Item bad = item("bad", Map.of("price", "three"));
        Item other = item("other", Map.of("title", "A"));
        try (OpenSearchSink sink = sink()) {
            ItemsRefusedException refused = catchThrowableOfType(ItemsRefusedException.class,
                    () -> sink.store(batch(server.url().toString(), "refusing", good, bad, other)));
            assertThat(requireNonNull(refused).reasons()).containsOnlyKeys(1L);
            assertThat(refused.reasons().get(1L)).startsWith("mapper_parsing_exception: object mapping for [price]");
        }
        assertThat(ids("refusing")).containsExactly("good", "other");
    }

    @Test
    void anIndexThatCannotBeWrittenIsAFailureNotARefusal() throws Exception {
        call("PUT", "/closed", "{\"settings\":{\"index.blocks.write\":true}}");
        try (OpenSearchSink sink = sink()) {
            assertThatThrownBy(() -> sink.store(batch(server.url().toString(), "closed", item("c", Map.of()))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the index answers 403: cluster_block_exception");
            call("PUT", "/closed/_settings", "{\"index.blocks.write\":false}");
            sink.store(batch(server.url().toString(), "closed", item("c", Map.of())));
        }
        assertThat(ids("closed")).containsExactly("c");
    }

    @Test
    void anItemThatComesLateChangesNothing() throws Exception {
        try (OpenSearchSink sink = sink()) {
            sink.store(batch(server.url().toString(), "late", item("x", Map.of("title", "new"))));
            sink.store(batch(server.url().toString(), "late", item("x", Map.of("title", "old"))));
        }
        assertThat(call("GET", "/late/_doc/x", "").path("_source").path("title").asText()).isEqualTo("new");
    }

    @Test
    void theChunksOfItemsAreDocumentsOfTheirOwnOnceThoughTheyComeAgain() throws Exception {
        Map<String, Object> settings = Map.of("url", server.url().toString(), "index", "chunks");
        try (OpenSearchSink sink = sink()) {
            sink.store(new SinkBatch("docs", "s", settings, 0, ChunkBatches.of(0, 2)));
            sink.store(new SinkBatch("docs", "s", settings, 0, ChunkBatches.of(1, 4)));
        }
        List<String> ids = ChunkBatches.ids(ChunkBatches.of(0, 4));
        assertThat(ids).hasSizeGreaterThan(10).doesNotHaveDuplicates();
        assertThat(ids("chunks")).containsExactlyInAnyOrderElementsOf(ids);
        JsonNode second = call("GET", "/chunks/_doc/" + ids.get(1), "").path("_source");
        assertThat(second.path("page").asText()).isEqualTo("page0");
        assertThat(second.path("ordinal").asInt()).isEqualTo(2);
        assertThat(second.path("text").asText()).contains("some ten words");
    }

    private static Map<String, Object> upserting(String index, String gone) {
        return Map.of("url", server.url().toString(), "index", index, "write", "upsert", "gone", gone);
    }

    private static Map<String, String> newest(String index) throws Exception {
        call("POST", "/" + index + "/_refresh", "");
        Map<String, String> newest = new HashMap<>();
        call("GET", "/" + index + "/_search?size=1000", "").path("hits").path("hits")
                .forEach(hit -> newest.put(hit.path("_id").asText(), Stream.of("title", "author", "change", "kind")
                        .map(field -> hit.path("_source").path(field).asText("-")).collect(Collectors.joining("|"))));
        return newest;
    }

    @Test
    void anIndexThatUpsertsHasTheNewestItemOfEachKey() throws Exception {
        UpsertContract.check(OpenSearchSinkIT::sink, upserting("marked", "mark"), Map.of("page", "B|-|gone|-"),
                () -> newest("marked"));
    }

    @Test
    void anIndexThatUpsertsLosesWhatIsGoneByOption() throws Exception {
        UpsertContract.check(OpenSearchSinkIT::sink, upserting("shrunk", "delete"), Map.of(), () -> newest("shrunk"));
    }

    @Test
    void theNewestItemStandsWhateverTheOrder() throws Exception {
        UpsertContract.checkOrders(OpenSearchSinkIT::sink, upserting("orders", "mark"), () -> newest("orders"));
        UpsertContract.checkOrders(OpenSearchSinkIT::sink, upserting("deleting", "delete"), () -> newest("deleting"));
    }

    @Test
    void aSinkThatUpsertsKeepsTheContract() throws Exception {
        SinkContract.check(OpenSearchSinkIT::sink, upserting("kept", "mark"),
                () -> newest("kept").keySet().stream().map(key -> key.substring(1)).toList());
    }

    @Test
    void manyDocumentsAreMarkedAlsoInAnIndexThatIsNotThere() throws Exception {
        try (OpenSearchSink sink = sink()) {
            sink.store(versions("mass", 25, "docs/2", Map.of("change", "gone")));
            assertThat(newest("mass")).hasSize(25).containsEntry("k7", "-|-|gone|-");
            sink.store(versions("mass", 25, "docs/3", Map.of("change", "back", "title", "T")));
            sink.store(versions("mass", 23, "docs/4", Map.of("change", "gone")));
        }
        assertThat(newest("mass").values().stream().collect(Collectors.groupingBy(item -> item, Collectors.counting())))
                .isEqualTo(Map.of("T|-|gone|-", 23L, "T|-|back|-", 2L));
    }

    private static SinkBatch versions(String index, int count, String run, Map<String, Object> fields) {
        return new SinkBatch("docs", "s", upserting(index, "mark"), 0,
                IntStream.range(0, count).mapToObj(
                        i -> new PlacedItem(i, new Item(run + i, "k" + i, run, ItemKind.PAGE, "http://h/" + i, fields)))
                        .toList());
    }

    @Test
    void aBusyServerIsAskedAgainAndNotBeforeTheTimeThatItNames() throws Exception {
        ManualTime time = ManualTime.flowing();
        try (OpenSearchSink sink = new OpenSearchSink(VARIABLES, Duration.ofSeconds(20), time)) {
            proxy.next(new Fault("POST", 429, "1"), new Fault("POST", 503, ""));
            long before = time.nanos();
            sink.store(batch(proxy.url(), "busy", item("b1", Map.of())));
            assertThat(Duration.ofNanos(time.nanos() - before)).isBetween(Duration.ofMillis(1200),
                    Duration.ofSeconds(4));

            proxy.next(new Fault("POST", 429, "30"));
            assertThatThrownBy(() -> sink.store(batch(proxy.url(), "busy", item("b2", Map.of()))))
                    .hasMessageEndingWith(" answers 429");
            int asked = proxy.asked.size();
            assertThatThrownBy(() -> sink.store(batch(proxy.url(), "busy", item("b2", Map.of()))))
                    .hasMessageEndingWith(" has asked to wait, for another 30 s");
            assertThat(proxy.asked).as("it was not asked").hasSize(asked);
            time.advance(Duration.ofSeconds(30));
            sink.store(batch(proxy.url(), "busy", item("b2", Map.of())));
        }
        assertThat(ids("busy")).containsExactly("b1", "b2");
    }

    @Test
    void manyDocumentsGoInRequestsOfSomeMebibytes() throws Exception {
        Item[] items = IntStream.range(0, 12)
                .mapToObj(i -> item("m" + i, Map.of("text", "lorem ipsum ".repeat(90_000)))).toArray(Item[]::new);
        int before = proxy.asked.size();
        try (OpenSearchSink sink = sink()) {
            sink.store(batch(proxy.url(), "many", items));
        }
        assertThat(proxy.asked.size() - before).as("the template, and three requests").isEqualTo(4);
        assertThat(ids("many")).hasSize(12);
    }

    @Test
    void aServerThatIsKilledInTheMiddleHasEachItemOnceAfterIt() throws Exception {
        try (OpenSearchSink sink = sink()) {
            sink.store(batch(server.url().toString(), "killed", item("k1", Map.of()), item("k2", Map.of())));
            proxy.next(new Fault("POST", 0, ""));
            assertThatThrownBy(
                    () -> sink.store(batch(proxy.url(), "killed", item("k2", Map.of()), item("k3", Map.of()))))
                    .as("stored, and the answer is lost").isInstanceOf(IOException.class);
            server.kill();
            assertThatThrownBy(() -> sink.store(batch(server.url().toString(), "killed", item("k4", Map.of()))))
                    .isInstanceOf(IOException.class).hasMessageContaining("does not answer");
            server.startAgain();
            sink.store(batch(server.url().toString(), "killed", item("k2", Map.of()), item("k3", Map.of()),
                    item("k4", Map.of())));
        }
        assertThat(ids("killed")).containsExactly("k1", "k2", "k3", "k4");
    }
}
