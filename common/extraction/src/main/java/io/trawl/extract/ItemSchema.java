package io.trawl.extract;

import io.trawl.extract.rule.ItemField;
import io.trawl.extract.rule.ItemRule;
import io.trawl.extract.rule.ValueType;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trawl.api.Item;
import io.trawl.codec.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The JSON Schema (2020-12) of the lines that a crawl stores: those of all crawls, and the fields of the types of its
 * rules. Pure.
 */
public final class ItemSchema {
    /**
     * The names of the fields that Trawl itself writes into items, pages and errors. All lines may be in one file or
     * table, where {@code kind} tells an error, so no rule may use them.
     */
    public static final SortedSet<String> RESERVED = reserved();

    private ItemSchema() {}

    private static SortedSet<String> reserved() {
        SortedSet<String> names = new TreeSet<>();
        ObjectNode line = line();
        line.path("properties").fieldNames().forEachRemaining(names::add);
        line.at("/$defs/fields/properties").fieldNames().forEachRemaining(names::add);
        return Collections.unmodifiableSortedSet(names);
    }

    /** The schema, as text over several lines. @param rules without faults */
    public static String of(String crawl, List<ItemRule> rules, boolean pages) {
        ObjectNode schema = Json.mapper().createObjectNode();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema").put("title", "Items of " + crawl)
                .put("$ref", "#/$defs/line");
        ArrayNode types = schema.putArray("anyOf");
        ObjectNode definitions = schema.putObject("$defs");
        Map<String, ArrayNode> byType = new LinkedHashMap<>();
        rules.forEach(rule -> byType.computeIfAbsent(rule.type().orElse(""), _ -> types.arrayNode())
                .add(object(rule.fields())));
        byType.forEach((type, forms) -> {
            ObjectNode own = definitions.putObject("type." + type);
            own.put("type", "object").putObject("properties").putObject("type").put("const", type);
            own.putArray("required").add("type");
            own.set("anyOf", forms);
            types.addObject().put("$ref", "#/$defs/type." + type);
        });
        if (pages) {
            ObjectNode page = types.addObject().put("description", "A page");
            page.putObject("not").putArray("required").add("type");
        }
        ObjectNode error = types.addObject().put("description", "An error, also of an item that is gone");
        error.putArray("required").add("kind");
        ObjectNode line = line();
        definitions.setAll((ObjectNode) line.remove("$defs"));
        definitions.set("line", line);
        return schema.toPrettyString();
    }

    private static ObjectNode line() {
        try (InputStream in = Item.class.getResourceAsStream("item.schema.json")) {
            ObjectNode line = (ObjectNode) Json.mapper().readTree(in);
            line.remove("$schema");
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException("the schema of items is in the jar", e);
        }
    }

    private static ObjectNode object(Map<String, ItemField> fields) {
        ObjectNode object = Json.mapper().createObjectNode().put("type", "object");
        ObjectNode properties = object.putObject("properties");
        ArrayNode required = object.arrayNode();
        fields.forEach((name, field) -> {
            properties.set(name, field.list() ? list(value(field)) : value(field));
            if (field.required() || field.fallback().isPresent()) {
                required.add(name);
            }
        });
        if (!required.isEmpty()) {
            object.set("required", required);
        }
        return object;
    }

    private static ObjectNode list(ObjectNode element) {
        ObjectNode list = Json.mapper().createObjectNode().put("type", "array");
        list.set("items", element);
        return list;
    }

    private static ObjectNode value(ItemField field) {
        if (!field.fields().isEmpty()) {
            return object(field.fields());
        }
        ObjectNode value = Json.mapper().createObjectNode();
        return switch (field.type().orElse(ValueType.TEXT)) {
            case TEXT, HTML, MARKDOWN -> value.put("type", "string");
            case NUMBER -> value.put("type", "number");
            case URL -> value.put("type", "string").put("format", "uri");
            case DATE -> value.put("type", "string").put("pattern",
                    "^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z)?$");
            case MONEY -> {
                ObjectNode parts = value.put("type", "object").putObject("properties");
                parts.putObject("amount").put("type", "number");
                parts.putObject("currency").put("type", "string").put("pattern", "^[A-Z]{3}$");
                value.putArray("required").add("amount");
                yield value;
            }
        };
    }
}
