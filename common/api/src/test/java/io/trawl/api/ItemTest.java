package io.trawl.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ItemTest {
    private static final Item ITEM = new Item("ab12", "kab12", "docs/2", ItemKind.PAGE, "http://example.org/",
            Map.of("title", "t"));

    @Test
    void withReplacesAFieldInPlaceOrAppendsIt() {
        Item changed = ITEM.with("words", 3).with("title", "T");

        assertThat(changed.fields()).containsExactly(Map.entry("title", "T"), Map.entry("words", 3));
        assertThat(changed).isEqualTo(ITEM.withFields(Map.of("title", "T", "words", 3)));
        assertThat(ITEM.fields()).containsExactly(Map.entry("title", "t"));
    }

    @Test
    void anItemIsImmutable() {
        Map<String, Object> fields = new HashMap<>(Map.of("title", "t"));
        Item item = ITEM.withFields(fields);
        fields.clear();

        assertThat(item).isEqualTo(ITEM);
        assertThatThrownBy(() -> item.fields().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void theCrawlIsTheRunWithoutItsEpoch() {
        assertThat(ITEM.crawl()).isEqualTo("docs");
    }

    @Test
    void halvesOfSurrogatePairsAreReplacedAndWhatIsWellFormedIsTheSameObject() {
        List<Object> whole = List.of("\ud83d\ude00", Map.of("a", List.of(1, "ä")));
        Item item = ITEM.withFields(Map.of("\ud800", List.of("\udc00\ud83d\ude00\ud83d"), "whole", whole, "map",
                Map.of("\udfff", Map.of("x", "\ud800")), "set", Set.of("a\ud800"), "names",
                Map.of("\udc00\udc00", "whole")));
        assertThat(item.fields()).isEqualTo(Map.of("\ufffd", List.of("\ufffd\ud83d\ude00\ufffd"), "whole", whole, "map",
                Map.of("\ufffd", Map.of("x", "\ufffd")), "set", List.of("a\ufffd"), "names",
                Map.of("\ufffd\ufffd", "whole")));
        assertThat(item.fields().get("whole")).isSameAs(whole);
    }

    @Test
    void aThousandListsWithinEachOtherAreAValue() {
        Object deep = "\ud800";
        for (int i = 0; i < 1_000; i++) {
            deep = List.of(deep);
        }
        assertThat(String.valueOf(ITEM.with("deep", deep).fields().get("deep")))
                .isEqualTo("[".repeat(1_000) + "\ufffd" + "]".repeat(1_000));
        List<Object> deeper = List.of(deep);
        assertThatThrownBy(() -> ITEM.with("deep", deeper)).hasMessageContaining("within each other");
    }

    @Test
    void aValueThatHoldsItselfIsAnErrorAndNoEndlessWork() {
        List<Object> endless = new ArrayList<>();
        endless.add(endless);
        endless.add(endless);
        assertThatThrownBy(() -> ITEM.with("endless", endless)).hasMessageContaining("within each other");
    }
}
