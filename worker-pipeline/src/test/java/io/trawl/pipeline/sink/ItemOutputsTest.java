package io.trawl.pipeline.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.codec.Json;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.ledger.ItemCounts;
import io.trawl.pipeline.format.FileFormat;
import io.trawl.pipeline.sink.ItemOutputs.SinkItems;
import io.trawl.pipeline.sink.ItemOutputs.TopicLine;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ItemOutputsTest {
    private static final Item ITEM = new Item("a", "ka", "docs/1", ItemKind.PAGE, "https://h/", Map.of());

    private static SinkDefinition sink(String json) {
        return Json.read(json.getBytes(StandardCharsets.UTF_8), SinkDefinition.class);
    }

    @Test
    void chunksAreCountedBesideTheItemAndByTheSinksThatHaveThem() {
        FileFormat items = FileFormat.of(sink("{\"type\":\"jsonl\"}"), List.of());
        FileFormat pieces = FileFormat.of(sink("{\"type\":\"csv\",\"from\":\"chunks\",\"fields\":[\"id\"]}"),
                List.of());
        SinkDefinition topic = sink("{\"type\":\"kafka\",\"from\":\"chunks\",\"settings\":{\"topic\":\"t\"}}");
        SinkDefinition table = sink("{\"type\":\"postgresql\",\"from\":\"chunks\"}");
        SinkDefinition given = sink("{\"type\":\"s3\",\"from\":\"chunks\",\"skip\":true}");
        ItemCounts counts = new ItemOutputs(List.of(items.line(ITEM), pieces.line(ITEM), pieces.line(ITEM)),
                List.of(new TopicLine(topic, "a", Optional.of(new byte[0])),
                        new TopicLine(topic, "b", Optional.empty())),
                List.of(new SinkItems(table, List.of(ITEM, ITEM, ITEM)), new SinkItems(given, List.of(ITEM, ITEM))))
                .stored();

        assertThat(counts).isEqualTo(new ItemCounts(0, 1, Map.of(), Map.of(), Map.of(), Map.of("jsonl", 1L),
                Map.of("s3", 1L), Map.of("csv", 2L, "kafka", 2L, "postgresql", 3L), Map.of()));
        assertThat(counts.settled()).isEqualTo(1);
        assertThat(counts.plus(counts).refusedBy("postgresql", 3).chunks())
                .isEqualTo(Map.of("csv", 4L, "kafka", 4L, "postgresql", 3L));
        assertThat(counts.refusedBy("postgresql", 3).chunks()).doesNotContainKey("postgresql");
        assertThat(counts.refusedBy("postgresql", 3).skipped()).isEqualTo(Map.of("s3", 1L, "postgresql", 1L));
    }
}
