package io.trawl.pipeline.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.codec.Codec;
import io.trawl.codec.Json;
import io.trawl.definition.sink.SinkDefinition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Halves of surrogate pairs, in any text of an item: every sink stores the same text, and one that all readers take.
 */
class WellFormedItemsTest {
    private static final Map<String, FileFormat> FORMATS = Map.of("jsonl",
            FileFormat.of(new SinkDefinition("jsonl", Optional.empty(), Optional.empty(), List.of(),
                    List.of("title", "deep"), Map.of(), Optional.empty()), List.of()),
            "csv",
            FileFormat.of(SinkDefinition.files("csv", Optional.empty(), Optional.empty(), List.of("title", "deep")),
                    List.of()),
            "parquet", FileFormat.of(new SinkDefinition("parquet", Optional.empty(), Optional.empty(), List.of(),
                    List.of("title", "deep"), Map.of(), Optional.empty()), List.of()));

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of("\ud800", "\udc00", "\ud83d\ude00", "\udbff", "\udfff", "a", "ä", "\ufffd").list()
                .ofMaxSize(8).map(parts -> String.join("", parts));
    }

    @Provide
    Arbitrary<Object> values() {
        Arbitrary<Object> leaf = Arbitraries.frequencyOf(net.jqwik.api.Tuple.of(5, texts().map(text -> text)),
                net.jqwik.api.Tuple.of(1, Arbitraries.of(1, true, 2.5)));
        return Arbitraries.recursive(() -> leaf, inner -> Arbitraries.oneOf(inner.list().ofMaxSize(3).map(list -> list),
                Arbitraries.maps(texts(), inner).ofMaxSize(3).map(map -> map)), 0, 3);
    }

    /** By another way: code point by code point. */
    private static String repaired(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().forEach(c -> out.appendCodePoint(c >= 0xD800 && c <= 0xDFFF ? 0xFFFD : c));
        return out.toString();
    }

    @Property(tries = 500)
    void everyFieldIsTheSameWellFormedTextInEverySink(@ForAll("texts") String title, @ForAll("values") Object deep)
            throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("title", "x" + title);
        fields.put("deep", List.of(deep));
        Item item = new Item("i1", "ki1", "docs/3", ItemKind.PAGE, "https://h/", fields);
        assertThat(Codec.item(Codec.encode(item)).fields()).as("as it goes from stage to stage")
                .isEqualTo(item.fields());
        String json = utf8("jsonl", item);
        JsonNode line = Json.mapper().readTree(json);
        assertThat(line.path("title").asText()).isEqualTo("x" + repaired(title));
        assertThat(Json.mapper().writeValueAsString(line.path("deep")))
                .isEqualTo(Json.mapper().writeValueAsString(item.fields().get("deep")));
        halves(line);
        String[] cells = new CsvMapper().readerFor(String[].class)
                .with(com.fasterxml.jackson.dataformat.csv.CsvParser.Feature.WRAP_AS_ARRAY)
                .<String[]>readValues(utf8("csv", item)).next();
        assertThat(cells[0]).isEqualTo(line.path("title").asText());
        assertThat(Json.mapper().readTree(cells[1])).isEqualTo(line.path("deep"));
        List<Optional<Object>> columns = format("parquet").line(item).cells();
        assertThat(columns.getFirst()).contains(line.path("title").asText());
        assertThat(Json.mapper().readTree((String) columns.get(1).orElseThrow())).isEqualTo(line.path("deep"));
    }

    private static FileFormat format(String name) {
        return Objects.requireNonNull(FORMATS.get(name));
    }

    /** Strictly: no byte that is none of UTF-8, and no half that is escaped. */
    private static String utf8(String format, Item item) throws IOException {
        byte[] bytes = format(format).line(item).bytes();
        String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        assertThat(text).doesNotContainPattern("(?i)\\\\ud[89a-f]");
        return text;
    }

    private static void halves(JsonNode node) {
        if (node instanceof TextNode) {
            assertThat(repaired(node.asText())).isEqualTo(node.asText());
        }
        node.properties().forEach(field -> assertThat(repaired(field.getKey())).isEqualTo(field.getKey()));
        node.forEach(WellFormedItemsTest::halves);
    }
}
