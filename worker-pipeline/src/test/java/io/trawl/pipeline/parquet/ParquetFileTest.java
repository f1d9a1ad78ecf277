package io.trawl.pipeline.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.codec.Json;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.extract.rule.ItemRule;
import io.trawl.testkit.NodePackages;
import io.trawl.pipeline.format.FileFormat;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.io.LocalInputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files are read by another library, in another language. */
class ParquetFileTest {
    private static final String HYPARQUET = "hyparquet@1.31.5";
    private static final String READER = """
            import { asyncBufferFromFile, parquetReadObjects, parquetSchema, parquetMetadataAsync } from 'hyparquet'
            const file = await asyncBufferFromFile(process.argv[2])
            const metadata = await parquetMetadataAsync(file)
            const rows = await parquetReadObjects({ file })
            console.log(JSON.stringify({ columns: parquetSchema(metadata).children.map(c => c.element.name), rows },
              (key, value) => typeof value === 'bigint' ? Number(value) : value))
            """;
    @TempDir
    Path temp;

    private static SinkDefinition sink(List<String> types, String... fields) {
        return new SinkDefinition("parquet", Optional.empty(), Optional.empty(), types, List.of(fields), Map.of(),
                Optional.empty());
    }

    private static List<ItemRule> rules() {
        return List.of(Json
                .read("""
                        {"type": "offer", "fields": {"name": "h1", "price": {"css": ".price", "type": "number"}, "tags": {"css": ".tag", "list": true},
                         "sum": {"css": ".sum", "type": "money"}}}"""
                        .getBytes(java.nio.charset.StandardCharsets.UTF_8), ItemRule.class));
    }

    private static Item item(int n, Map<String, Object> fields) {
        return new Item("i" + n, "ki" + n, "docs/3", ItemKind.PAGE, "https://h/ä" + n, fields);
    }

    private Path write(FileFormat format, Item... items) throws Exception {
        Path path = temp.resolve("items.parquet");
        try (OutputStream out = Files.newOutputStream(path); ParquetFile file = new ParquetFile(format, out)) {
            for (Item item : items) {
                file.write(format.line(item));
            }
        }
        return path;
    }

    private JsonNode read(Path file) throws Exception {
        return Json.mapper().readTree(NodePackages.install(temp, HYPARQUET).node(READER, file.toString()));
    }

    @Test
    void itemsOfRulesAndPagesAreReadWithTheTypesOfTheirColumns() throws Exception {
        FileFormat format = FileFormat.of(sink(List.of()), rules());
        JsonNode read = read(write(format,
                item(1, Map.of("type", "offer", "name", "a \"b\"", "price", 2.5, "tags", List.of("x", "ü"), "sum",
                        Map.of("amount", 3, "currency", "EUR"), "fetchedAt", "2026-11-23T10:00:00.123Z", "status",
                        200)),
                item(2, Map.of("title", "T", "links", List.of(), "truncated", true, "added", List.of(1, 2), "status",
                        "odd"))));
        assertThat(read.path("columns")).extracting(JsonNode::asText)
                .startsWith("id", "key", "crawl", "epoch", "url", "status")
                .contains("title", "kind", "name", "price", "tags", "sum").endsWith("other").doesNotHaveDuplicates();
        JsonNode offer = read.at("/rows/0");
        assertThat(offer.path("id").asText()).isEqualTo("i1");
        assertThat(offer.path("crawl").asText()).isEqualTo("docs");
        assertThat(offer.path("epoch").asInt()).isEqualTo(3);
        assertThat(offer.path("url").asText()).isEqualTo("https://h/ä1");
        assertThat(offer.path("name").asText()).isEqualTo("a \"b\"");
        assertThat(offer.path("price").asDouble()).isEqualTo(2.5);
        assertThat(offer.path("tags")).extracting(JsonNode::asText).containsExactly("x", "ü");
        assertThat(offer.at("/sum/currency").asText()).isEqualTo("EUR");
        assertThat(offer.path("fetchedAt").asText()).isEqualTo("2026-11-23T10:00:00.123Z");
        assertThat(offer.path("status").asInt()).isEqualTo(200);
        assertThat(offer.path("other").isNull()).isTrue();
        JsonNode page = read.at("/rows/1");
        assertThat(page.path("title").asText()).isEqualTo("T");
        assertThat(page.path("links").isArray() && page.path("links").isEmpty()).isTrue();
        assertThat(page.path("truncated").asBoolean()).isTrue();
        assertThat(page.path("status").isNull()).isTrue();
        assertThat(page.path("other").toString()).as("what has no column, or not its type").contains("\"added\":[1,2]",
                "\"status\":\"odd\"");
    }

    @Test
    void theColumnsAreThoseThatTheSinkNamesOrThoseOfItsTypes() {
        assertThat(FileFormat.of(sink(List.of(), "price", "none", "id"), rules()).columns().toString()).isEqualTo(
                "[ItemColumn[name=price, type=NUMBER], ItemColumn[name=none, type=TEXT], ItemColumn[name=id, type=TEXT]]");
        List<String> offers = FileFormat.of(sink(List.of("offer")), rules()).columns().stream()
                .map(column -> column.name()).toList();
        assertThat(offers).contains("id", "price", "other").doesNotContain("title", "kind", "text");
        assertThat(FileFormat.of(sink(List.of("error")), rules()).columns())
                .noneMatch(column -> column.name().equals("price")).anyMatch(column -> column.name().equals("reason"));
    }

    @Test
    void aRowGroupHasABoundAlsoIfItemsBecomeLargeAllAtOnce() throws Exception {
        FileFormat format = FileFormat.of(sink(List.of(), "id", "text"), List.of());
        java.util.Random random = new java.util.Random(1);
        Path file = write(format, IntStream.range(0, 3000).mapToObj(n -> {
            byte[] bytes = new byte[n < 2950 ? 5 : 700_000];
            random.nextBytes(bytes);
            return item(n, new LinkedHashMap<>(Map.of("text", java.util.Base64.getEncoder().encodeToString(bytes))));
        }).toArray(Item[]::new));
        assertThat(new ParquetFile.ParquetFormat().rows(file)).isEqualTo(3000);
        try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file))) {
            assertThat(reader.getRowGroups().stream().mapToLong(BlockMetaData::getTotalByteSize)).hasSizeGreaterThan(3)
                    .allMatch(size -> size < ParquetFile.ROW_GROUP + 9_000_000);
        }
    }
}
