package io.trawl.definition.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.api.SinkBatch.PlacedItem;
import io.trawl.codec.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ItemVersionTest {
    private static final Item GONE = new Item("e", "k", "docs/2", ItemKind.ERROR, "http://h/",
            Map.of("kind", "HTTP_ERROR", "status", 404, "change", "gone", "visit", 3));

    private static Item item(ItemKind kind, int epoch, Map<String, Object> fields) {
        return new Item("i", "k", "docs/" + epoch, kind, "http://h/", fields);
    }

    private static SinkDefinition sink(String json) {
        return Json.read(json.getBytes(StandardCharsets.UTF_8), SinkDefinition.class);
    }

    @Test
    void versionsGrowWithRunAndVisitAndFailuresAreBelowAllOthers() {
        assertThat(Stream
                .of(item(ItemKind.ERROR, 1, Map.of()), item(ItemKind.ERROR, Integer.MAX_VALUE, Map.of()),
                        item(ItemKind.PAGE, 1, Map.of("visit", -1)), item(ItemKind.PAGE, 1, Map.of("visit", 1)),
                        item(ItemKind.PAGE, 1, Map.of("visit", Long.MAX_VALUE)), item(ItemKind.PAGE, 2, Map.of()), GONE,
                        item(ItemKind.PAGE, Integer.MAX_VALUE, Map.of("visit", Integer.MAX_VALUE)))
                .map(ItemVersion::of)).isSorted().doesNotHaveDuplicates().allMatch(version -> version > 0);
        assertThat(ItemVersion.of(item(ItemKind.PAGE, 1, Map.of("visit", "first"))))
                .isEqualTo(ItemVersion.of(item(ItemKind.PAGE, 1, Map.of())));
    }

    @Test
    void aMarkLeavesWhatTheItemHolds() {
        Item marked = ItemVersion.marked(Map.of("title", "A", "status", 200, "change", "new"), GONE);
        assertThat(marked.fields()).isEqualTo(Map.of("title", "A", "status", 404, "change", "gone", "visit", 3));
        assertThat(List.of(marked.id(), marked.run(), marked.kind())).isEqualTo(List.of("e", "docs/2", ItemKind.PAGE));
    }

    @Test
    void noRoundHasAKeyTwice() {
        assertThat(
                ItemVersion
                        .rounds(Stream.of("a", "b", "a", "c", "b", "b")
                                .map(key -> new PlacedItem(1,
                                        new Item("i", key, "docs/1", ItemKind.PAGE, "http://h/", Map.of())))
                                .toList())
                        .stream().map(round -> round.stream().map(placed -> placed.item().key()).toList()))
                .containsExactly(List.of("a", "b"), List.of("a", "c", "b"), List.of("b"));
    }

    @Test
    void aSinkThatUpsertsPagesIsToldWhichOfThemAreGone() {
        SinkDefinition pages = sink(
                "{\"type\":\"postgresql\",\"types\":[\"page\"],\"settings\":{\"write\":\"upsert\"}}");
        assertThat(pages.takes(GONE)).isTrue();
        assertThat(pages.takes(item(ItemKind.ERROR, 1, Map.of()))).as("a failure").isFalse();
        assertThat(sink("{\"type\":\"postgresql\",\"types\":[\"page\"]}").takes(GONE)).as("it appends").isFalse();
        assertThat(
                sink("{\"type\":\"postgresql\",\"types\":[\"offer\"],\"settings\":{\"write\":\"upsert\"}}").takes(GONE))
                .as("the key is that of the page").isFalse();
        Item offer = item(ItemKind.ERROR, 2, Map.of("kind", "GONE", "type", "offer", "change", "moved"));
        assertThat(sink("{\"type\":\"postgresql\",\"types\":[\"offer\"],\"settings\":{\"write\":\"upsert\"}}")
                .takes(offer)).isTrue();
        assertThat(pages.takes(offer)).isFalse();
    }

    @Test
    void aSinkThatUpsertsGetsTheFieldsOfVersionsWithAnySelection() {
        Item item = item(ItemKind.PAGE, 1, Map.of("title", "A", "text", "B", "visit", 2));
        assertThat(sink("{\"type\":\"opensearch\",\"fields\":[\"title\"],\"settings\":{\"write\":\"upsert\"}}")
                .only(item).fields()).containsOnlyKeys("title", "visit");
        assertThat(sink("{\"type\":\"opensearch\",\"fields\":[\"title\"]}").only(item).fields())
                .containsOnlyKeys("title");
    }
}
