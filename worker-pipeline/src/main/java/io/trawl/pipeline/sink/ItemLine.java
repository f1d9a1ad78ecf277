package io.trawl.pipeline.sink;

import com.fasterxml.jackson.core.JsonGenerator;
import io.trawl.codec.Json;
import io.trawl.model.Item;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/** An item as it stands in a file: one JSON object on one line, {@code id}, {@code crawl} and {@code url} first, then its fields in their order. */
public final class ItemLine {
    private static final Set<String> FIRST = Set.of("id", "crawl", "url");

    private ItemLine() {}

    /**
     * The line in UTF-8, with its line feed. A field that is called like one of the first three is left out.
     *
     * @throws IllegalArgumentException if a field holds what JSON cannot express
     */
    public static byte[] of(Item item) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
        try (JsonGenerator json = Json.mapper().createGenerator(out)) {
            json.writeStartObject();
            json.writeStringField("id", item.id());
            json.writeStringField("crawl", item.run().crawl().value());
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
