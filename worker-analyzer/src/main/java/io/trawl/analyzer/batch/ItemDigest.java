package io.trawl.analyzer.batch;

import io.trawl.api.Item;
import io.trawl.codec.Json;
import io.trawl.extract.ItemSchema;
import io.trawl.model.Sha256;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A digest of the items of a page that is equal for equal contents. What templates, clocks and counters alter is no
 * content.
 *
 * @param fields that count; if there are none, title and text, {@code sha256} where there is no text, and of an item
 * that a rule or parser made its own fields, too
 */
record ItemDigest(List<String> fields) {
    private static final int DIGITS = 32;

    /** 32 hexadecimal digits. */
    String of(List<Item> items) {
        List<Object> all = new ArrayList<>();
        items.forEach(item -> all.add(List.of(item.key(), content(item.fields()))));
        return Sha256.hex(Json.text(all)).substring(0, DIGITS);
    }

    private Map<String, Object> content(Map<String, Object> item) {
        Map<String, Object> content = new TreeMap<>();
        List<String> taken = fields.isEmpty() ? List.of("title", "text") : fields;
        taken.stream().filter(item::containsKey).forEach(field -> content.put(field, item.get(field)));
        if (fields.isEmpty()) {
            if (item.containsKey("type") || item.containsKey("parser")) {
                item.forEach((field, value) -> {
                    if (!ItemSchema.RESERVED.contains(field)) {
                        content.put(field, value);
                    }
                });
            } else if (!(item.get("text") instanceof String text) || text.isBlank()) {
                content.put("sha256", item.getOrDefault("sha256", ""));
            }
        }
        return content;
    }
}
