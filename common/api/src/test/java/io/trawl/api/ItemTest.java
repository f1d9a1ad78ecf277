package io.trawl.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ItemTest {
    private static final Item ITEM = new Item("ab12", "docs/2", ItemKind.PAGE, "http://example.org/", Map.of("title", "t"));

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
}
