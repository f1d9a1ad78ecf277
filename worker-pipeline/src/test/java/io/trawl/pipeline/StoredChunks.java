package io.trawl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.codec.Json;
import io.trawl.definition.sink.ChunkRules;
import io.trawl.ledger.ItemCounts;
import io.trawl.model.Sha256;
import io.trawl.pipeline.chunk.ItemChunks;
import io.trawl.pipeline.parquet.ParquetIds;
import io.trawl.testkit.KafkaFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The chunks of a crawl in JSON lines, in Parquet and in a topic, beside its items. */
record StoredChunks(KafkaFixture kafka, Path out, String topic) {
    private static final ChunkRules RULES = new ChunkRules(Optional.of(32), Optional.of(8));

    /** What a crawl has beside its other sinks. */
    List<Map<String, Object>> sinks() {
        Map<String, Object> rules = Map.of("maxTokens", 32, "overlap", 8);
        return List.of(Map.of("type", "jsonl", "name", "pieces", "from", "chunks", "chunks", rules),
                Map.of("type", "parquet", "from", "chunks", "chunks", rules), Map.of("type", "kafka", "name", "topic",
                        "from", "chunks", "chunks", rules, "settings", Map.of("topic", topic)));
    }

    /** A text of several chunks, of which some are equal. */
    static String text(int number) {
        return IntStream.range(0, 2 + number % 4)
                .mapToObj(i -> "This is the sentence " + i + " of a text, one of "
                        + "those that every page has, and of its paragraph.")
                .reduce("Page " + number + ".", (one, other) -> one + "\n\n" + other);
    }

    /** Each chunk of these items is in each sink once, in the files of its run, and the ledger says so. */
    void assertExact(List<Item> items, ItemCounts told) throws IOException {
        List<Item> chunks = items.stream().filter(item -> item.kind() == ItemKind.PAGE)
                .flatMap(item -> ItemChunks.of(item, RULES).stream()).toList();
        List<String> ids = chunks.stream().map(Item::id).toList();
        assertThat(ids).hasSizeGreaterThan(items.size());
        assertThat(new LinkedHashSet<>(ids)).hasSameSizeAs(ids);
        List<String> lines = new ArrayList<>();
        List<String> rows = new ArrayList<>();
        for (Path file : files()) {
            if (file.toString().endsWith(".parquet")) {
                rows.addAll(ParquetIds.of(file));
            } else {
                Files.readAllLines(file).forEach(line -> lines.add(checked(file, line)));
            }
        }
        assertThat(lines).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(rows).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(kafka.records(topic).stream().map(record -> new String(record.key(), StandardCharsets.UTF_8)))
                .containsExactlyInAnyOrderElementsOf(ids);
        long all = ids.size();
        assertThat(told.chunks()).isEqualTo(Map.of("pieces", all, "parquet", all, "topic", all));
    }

    private List<Path> files() throws IOException {
        try (var files = Files.walk(out.resolve("chunks"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("part-")).toList();
        }
    }

    private String checked(Path file, String line) {
        JsonNode chunk = Json.read(line.getBytes(StandardCharsets.UTF_8), JsonNode.class);
        assertThat(out.resolve("chunks").relativize(file).getName(0))
                .hasToString(chunk.path("crawl").asText() + "-" + chunk.path("epoch").asText());
        assertThat(chunk.path("sha256").asText()).isEqualTo(Sha256.hex(chunk.path("text").asText()));
        return chunk.path("id").asText();
    }
}
