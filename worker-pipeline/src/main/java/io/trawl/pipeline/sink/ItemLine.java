package io.trawl.pipeline.sink;

import com.fasterxml.jackson.core.JsonGenerator;
import io.trawl.api.Item;
import io.trawl.codec.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/** The line of an item in a file: one JSON object with {@code id}, {@code crawl}, {@code epoch} and {@code url} first, then the fields in their order. */
public final class ItemLine {
    private static final Set<String> FIRST = Set.of("id", "crawl", "epoch", "url");

    private ItemLine() {}

    /**
     * The line in UTF-8, with its line feed. A field with the name of one of the first four is left out.
     *
     * @throws IllegalArgumentException if a field holds a value that JSON cannot express
     */
    public static byte[] of(Item item) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
        try (JsonGenerator json = Json.mapper().createGenerator(out)) {
            json.writeStartObject();
            json.writeStringField("id", item.id());
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
}
