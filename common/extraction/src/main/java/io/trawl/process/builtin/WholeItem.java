package io.trawl.process.builtin;

import io.trawl.api.Item;
import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All fields of an item as one map, those of its line: {@code id}, {@code key}, {@code crawl}, {@code epoch},
 * {@code url}, and the others.
 */
final class WholeItem extends AbstractMap<String, Object> {
    private final Item item;

    WholeItem(Item item) {
        this.item = item;
    }

    @Override
    public @Nullable Object get(@Nullable Object name) {
        if (!(name instanceof String field)) {
            return null;
        }
        return switch (field) {
            case "id" -> item.id();
            case "key" -> item.key();
            case "crawl" -> item.crawl();
            case "epoch" -> item.epoch();
            case "url" -> item.url();
            default -> item.fields().get(field);
        };
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return get(name) != null || name != null && item.fields().containsKey(name);
    }

    @Override
    public Set<Map.Entry<String, Object>> entrySet() {
        Map<String, Object> all = new LinkedHashMap<>(item.fields());
        all.put("id", item.id());
        all.put("key", item.key());
        all.put("crawl", item.crawl());
        all.put("epoch", item.epoch());
        all.put("url", item.url());
        return all.entrySet();
    }
}
