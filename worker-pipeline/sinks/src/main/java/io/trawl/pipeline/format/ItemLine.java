package io.trawl.pipeline.format;

import com.fasterxml.jackson.core.JsonGenerator;
import io.trawl.api.Item;
import io.trawl.codec.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The line of an item in a file: one JSON object with {@code id}, {@code key}, {@code crawl}, {@code epoch} and
 * {@code url} first, then the fields in their order.
 */
public final class ItemLine {
    private static final Set<String> FIRST = Set.of("id", "key", "crawl", "epoch", "url");

    private ItemLine() {}

    /**
     * The line in UTF-8, with its line feed. A field with the name of one of the first five is left out.
     *
     * @throws IllegalArgumentException if a field holds a value that JSON cannot express
     */
    public static byte[] of(Item item) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
        try (JsonGenerator json = Json.mapper().createGenerator(out)) {
            json.writeStartObject();
            json.writeStringField("id", item.id());
            json.writeStringField("key", item.key());
            json.writeStringField("crawl", item.crawl());
            json.writeNumberField("epoch", item.epoch());
            json.writeStringField("url", item.url());
            for (Map.Entry<String, Object> field : item.fields().entrySet()) {
                if (!FIRST.contains(field.getKey())) {
                    json.writePOJOField(field.getKey(), field.getValue());
                }
            }
            json.writeEndObject();
        } catch (IOException | StackOverflowError e) {
            throw new IllegalArgumentException("cannot be written as JSON: " + e.getMessage(), e);
        }
        out.write('\n');
        return out.toByteArray();
    }

    /**
     * The same with these fields only, in their order; those that the item lacks are left out.
     *
     * @throws IllegalArgumentException if a field holds a value that JSON cannot express
     */
    static byte[] of(Item item, List<String> fields) {
        Map<String, Object> line = new LinkedHashMap<>();
        fields.forEach(field -> value(item, field).ifPresent(value -> line.put(field, value)));
        return (json(line) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** A field of an item, one of the first five included. */
    static Optional<Object> value(Item item, String field) {
        return switch (field) {
            case "id" -> Optional.of(item.id());
            case "key" -> Optional.of(item.key());
            case "crawl" -> Optional.of(item.crawl());
            case "epoch" -> Optional.of(item.epoch());
            case "url" -> Optional.of(item.url());
            default -> Optional.ofNullable(item.fields().get(field));
        };
    }

    /** @throws IllegalArgumentException if JSON cannot express the value */
    static String json(Object value) {
        try {
            return Json.mapper().writeValueAsString(value);
        } catch (IOException | StackOverflowError e) {
            throw new IllegalArgumentException("cannot be written as JSON: " + e.getMessage(), e);
        }
    }
}
