package io.trawl.pipeline.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ItemLineTest {
    private static String line(Map<String, Object> fields) {
        return new String(ItemLine.of(new Item("i1", "ki1", "docs/3", ItemKind.PAGE, "https://h/ä", fields)),
                StandardCharsets.UTF_8);
    }

    @Test
    void idRunAndUrlPrecedeTheFieldsInTheirOrder() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("status", 200);
        fields.put("depth", 1);
        fields.put("title", "Grüße \"an\" alle\n");
        fields.put("links", List.of("https://h/b", "https://h/a"));
        assertThat(line(fields)).isEqualTo(
                "{\"id\":\"i1\",\"key\":\"ki1\",\"crawl\":\"docs\",\"epoch\":3,\"url\":\"https://h/ä\",\"status\":200,\"depth\":1,"
                        + "\"title\":\"Grüße \\\"an\\\" alle\\n\",\"links\":[\"https://h/b\",\"https://h/a\"]}\n");
    }

    @Test
    void aFieldCannotReplaceTheFirstFour() {
        assertThat(line(Map.of("id", "other")))
                .isEqualTo("{\"id\":\"i1\",\"key\":\"ki1\",\"crawl\":\"docs\",\"epoch\":3,\"url\":\"https://h/ä\"}\n");
    }

    @Test
    void aValueWithoutAJsonFormIsRefused() {
        assertThatThrownBy(() -> line(Map.of("thread", new Object()))).isInstanceOf(IllegalArgumentException.class);
        List<Object> endless = new ArrayList<>();
        endless.add(endless);
        assertThatThrownBy(() -> line(Map.of("endless", endless))).isInstanceOf(IllegalArgumentException.class);
    }
}
