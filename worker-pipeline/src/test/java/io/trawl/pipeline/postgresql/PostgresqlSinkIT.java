package io.trawl.pipeline.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.api.SinkBatch;
import io.trawl.api.SinkBatch.PlacedItem;
import io.trawl.api.SinkContract;
import io.trawl.definition.CrawlVariables;
import io.trawl.pipeline.UpsertContract;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PostgresqlSinkIT {
    private static final CrawlVariables VARIABLES = new CrawlVariables(
            Map.of("TRAWL_SECRET_DB", PostgresqlServer.PASSWORD));
    private static PostgresqlServer server;

    @BeforeAll
    static void start() throws Exception {
        server = PostgresqlServer.start();
    }

    @AfterAll
    static void stop() throws Exception {
        if (server != null) {
            server.close();
        }
    }

    private static PostgresqlSink sink() {
        return new PostgresqlSink(VARIABLES, () -> "log", Duration.ofSeconds(20));
    }

    private static Item item(String id, Object... fields) {
        Map<String, Object> all = new LinkedHashMap<>();
        for (int i = 0; i < fields.length; i += 2) {
            all.put((String) fields[i], fields[i + 1]);
        }
        return new Item(id, "k" + id, "docs/1", ItemKind.PAGE, "https://example.org/" + id, all);
    }

    private static SinkBatch batch(String table, long first, Item... items) {
        return new SinkBatch("docs", table, server.settings(table), 0,
                IntStream.range(0, items.length).mapToObj(i -> new PlacedItem(first + i, items[i])).toList());
    }

    private static String types(String table) throws Exception {
        return String.join(", ", server.rows("SELECT column_name || ' ' || data_type FROM information_schema.columns"
                + " WHERE table_name = '" + table + "' ORDER BY ordinal_position"));
    }

    @Test
    void itKeepsTheContractOfSinks() throws Exception {
        SinkContract.check(PostgresqlSinkIT::sink, server.settings("contract", "${env:TRAWL_SECRET_DB}"),
                () -> server.rows("SELECT id FROM locked.contract"));
    }

    @Test
    void rowsThatAReaderHasDeletedDoNotComeBack() throws Exception {
        try (PostgresqlSink sink = sink(); PostgresqlSink late = sink()) {
            sink.store(batch("deleted", 5, item("a"), item("b")));
            server.execute("DELETE FROM deleted");
            late.store(batch("deleted", 5, item("a"), item("b"), item("c")));
            assertThat(server.rows("SELECT id FROM deleted")).containsExactly("c");
        }
    }

    @Test
    void tablesGetTheColumnsAndTypesOfTheirItems() throws Exception {
        try (PostgresqlSink sink = sink()) {
            sink.store(batch("wide", 1,
                    item("a", "fetchedAt", "2026-01-02T03:04:05.678Z", "status", 200, "links", List.of("x"))));
            assertThat(types("wide")).isEqualTo("id text, key text, crawl text, epoch bigint, type text, url text,"
                    + " fetchedAt timestamp with time zone, status bigint, links jsonb");
            sink.store(batch("wide", 2, item("b", "price", 3, "type", "offer"), item("c", "price", 2.5, "new", true)));
            sink.store(batch("wide", 4, item("d", "price", "free", "links", "none")));
            assertThat(types("wide")).contains("links text", "price text", "new boolean");
            assertThat(server.rows("SELECT id, epoch, type, price, links, \"new\" FROM wide ORDER BY id"))
                    .containsExactly("a|1|-|-|[\"x\"]|-", "b|1|offer|3|-|-", "c|1|-|2.5|-|t", "d|1|-|free|none|-");
        }
    }

    @Test
    void everyTextOfAPageCanBeStored() throws Exception {
        String text = "a\\b\tc\nd\re\\.\0\ud800 \"q\" \\N \ud83d\ude00";
        try (PostgresqlSink sink = sink()) {
            sink.store(batch("texts", 1, item("a", "text", text, "list", List.of(text, "\\\0", "\\u0000"),
                    "x".repeat(64), "long", "ctid", 7, "more", 8, "a\0b", 9)));
            assertThat(server.rows("SELECT text FROM texts"))
                    .containsExactly(text.replace('\0', '\ufffd').replace("\ud800 ", "\ufffd "));
            assertThat(server.rows("SELECT list->>1, list->>2 FROM texts")).containsExactly("\\\ufffd|\\u0000");
            assertThat(server.rows("SELECT more->>'ctid', more->>'more', more->>'" + "x".repeat(64) + "' FROM texts"))
                    .containsExactly("7|8|long");
        }
    }

    @Test
    void aTableHasABoundedNumberOfColumns() throws Exception {
        try (PostgresqlSink sink = sink()) {
            Object[] fields = IntStream.range(0, 800).mapToObj(i -> i % 2 == 0 ? "f" + i : (Object) i).toArray();
            sink.store(batch("many", 1, item("a", fields)));
            assertThat(server.rows("SELECT count(*) FROM information_schema.columns WHERE table_name = 'many'"))
                    .containsExactly("251");
            assertThat(server.rows("SELECT more->>'f798' FROM many")).containsExactly("799");
        }
    }

    @Test
    void theTypesOfAUsersTableStay() throws Exception {
        server.execute(
                "CREATE TABLE own (id varchar(40) PRIMARY KEY, url text, status smallint, note text DEFAULT 'x')");
        try (PostgresqlSink sink = sink()) {
            sink.store(batch("own", 1, item("a", "status", 200)));
            assertThat(server.rows("SELECT id, status, note FROM own")).containsExactly("a|200|x");
            assertThat(types("own")).contains("id character varying", "status smallint", "crawl text");
            assertThatThrownBy(() -> sink.store(batch("own", 2, item("b", "status", "many"))))
                    .hasMessageContaining("invalid input syntax for type smallint");
            sink.store(batch("own", 2, item("b", "status", 404)));
            assertThat(server.rows("SELECT id FROM own")).containsExactlyInAnyOrder("a", "b");
        }
    }

    @Test
    void aColumnThatAUserDropsIsMadeAgain() throws Exception {
        try (PostgresqlSink sink = sink()) {
            sink.store(batch("dropped", 1, item("a", "status", 200)));
            server.execute("ALTER TABLE dropped DROP COLUMN status");
            assertThatThrownBy(() -> sink.store(batch("dropped", 2, item("b", "status", 404))))
                    .hasMessageContaining("status");
            sink.store(batch("dropped", 2, item("b", "status", 404)));
            assertThat(server.rows("SELECT id, status FROM dropped ORDER BY id")).containsExactly("a|-", "b|404");
        }
    }

    private static Map<String, Object> upserting(String table, String gone) {
        Map<String, Object> settings = new LinkedHashMap<>(server.settings(table));
        settings.putAll(Map.of("write", "upsert", "gone", gone));
        return settings;
    }

    private static Map<String, String> newest(String table) throws Exception {
        return server.rows("SELECT key, title, author, change, kind FROM " + table).stream()
                .map(row -> row.split("\\|", 2)).collect(Collectors.toMap(row -> row[0], row -> row[1]));
    }

    @Test
    void aTableThatUpsertsHasTheNewestItemOfEachKey() throws Exception {
        server.execute("CREATE TABLE marked (key text PRIMARY KEY, title text, author text, change text, kind text,"
                + " own text DEFAULT 'mine', upper text GENERATED ALWAYS AS (upper(title)) STORED)");
        UpsertContract.check(PostgresqlSinkIT::sink, upserting("marked", "mark"), Map.of("page", "B|-|gone|-"),
                () -> newest("marked"));
        assertThat(server.rows("SELECT own, upper, epoch, visit FROM marked WHERE key = 'page'"))
                .as("what a user has added").containsExactly("mine|B|8|9");
    }

    @Test
    void aTableThatUpsertsLosesWhatIsGoneByOption() throws Exception {
        server.execute("CREATE TABLE shrunk (key text PRIMARY KEY, title text, author text, change text, kind text)");
        UpsertContract.check(PostgresqlSinkIT::sink, upserting("shrunk", "delete"), Map.of(), () -> newest("shrunk"));
    }

    @Test
    void theNewestItemStandsWhateverTheOrder() throws Exception {
        UpsertContract.checkOrders(PostgresqlSinkIT::sink, upserting("orders", "mark"), () -> newest("orders"));
        assertThat(types("orders")).startsWith(
                "key text, id text, crawl text, epoch bigint, type text, url text, change text, _version bigint");
    }

    @Test
    void aSinkThatUpsertsKeepsTheContractOfSinks() throws Exception {
        SinkContract.check(PostgresqlSinkIT::sink, upserting("kept", "mark"), () -> server.rows("SELECT id FROM kept"));
    }

    @Test
    void aColumnOfAnotherProcessIsEmptiedToo() throws Exception {
        try (PostgresqlSink sink = sink(); PostgresqlSink other = sink()) {
            sink.store(
                    new SinkBatch("docs", "s", upserting("joint", "mark"), 0, List.of(new PlacedItem(1, item("a")))));
            Item before = new Item("x", "kx", "docs/1", ItemKind.PAGE, "http://h/", Map.of("author", "Ann"));
            other.store(new SinkBatch("docs", "s", upserting("joint", "mark"), 1, List.of(new PlacedItem(1, before))));
            Item after = new Item("y", "kx", "docs/2", ItemKind.PAGE, "http://h/", Map.of());
            sink.store(new SinkBatch("docs", "s", upserting("joint", "mark"), 2, List.of(new PlacedItem(1, after))));
        }
        assertThat(server.rows("SELECT id, author FROM joint WHERE key = 'kx'")).containsExactly("y|-");
    }

    @Test
    void aSecretThatIsNotSetAndAWrongPasswordAreNamed() {
        try (PostgresqlSink sink = sink()) {
            assertThatThrownBy(() -> sink.store(new SinkBatch("docs", "s",
                    server.settings("t", "${env:TRAWL_SECRET_NONE}"), 0, List.of(new PlacedItem(1, item("a"))))))
                    .hasMessageContaining("TRAWL_SECRET_NONE is not set");
        }
        try (PostgresqlSink sink = new PostgresqlSink(new CrawlVariables(Map.of("TRAWL_SECRET_DB", "wrong")),
                () -> "log", Duration.ofSeconds(20))) {
            assertThatThrownBy(() -> sink.store(new SinkBatch("docs", "s",
                    server.settings("t", "${env:TRAWL_SECRET_DB}"), 0, List.of(new PlacedItem(1, item("a"))))))
                    .hasMessageContaining("password authentication failed");
        }
    }
}
