package io.trawl.pipeline.format;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.definition.sink.ChunkRules;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.extract.ItemSchema;
import io.trawl.extract.rule.ItemRule;
import io.trawl.pipeline.format.ItemColumn.ColumnType;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The columns of a sink whose columns have types, from the JSON Schema of the lines of its crawl: those of pages and
 * errors, and of the rules for items. Pure.
 */
final class SinkColumns {
    private static final String PAGE = "page";
    private static final String ERROR = "error";
    private static final Set<String> OF_ERRORS = Set.of("kind", "reason", "cause", "mid");

    private SinkColumns() {}

    /**
     * The columns in their order: the fields that the sink names, or all that its types of items have and
     * {@link ItemColumn#OTHER}. A field that no schema has is a text. Of chunks: their fields.
     */
    static List<ItemColumn> of(SinkDefinition sink, List<ItemRule> rules) {
        if (sink.ofChunks()) {
            return (sink.fields().isEmpty() ? ChunkRules.FIELDS : sink.fields()).stream()
                    .map(field -> new ItemColumn(field, ofChunks(field))).toList();
        }
        Map<String, ColumnType> known = known(sink, rules);
        if (!sink.fields().isEmpty()) {
            return sink.fields().stream()
                    .map(field -> new ItemColumn(field, Optional.ofNullable(known.get(field)).orElse(ColumnType.TEXT)))
                    .toList();
        }
        known.put(ItemColumn.OTHER, ColumnType.JSON);
        return known.entrySet().stream().map(column -> new ItemColumn(column.getKey(), column.getValue())).toList();
    }

    private static ColumnType ofChunks(String field) {
        return switch (field) {
            case "epoch", "ordinal", "tokens" -> ColumnType.INTEGER;
            case "headings" -> ColumnType.TEXTS;
            case "pages" -> ColumnType.JSON;
            default -> ColumnType.TEXT;
        };
    }

    private static Map<String, ColumnType> known(SinkDefinition sink, List<ItemRule> rules) {
        JsonNode schema = Json.read(ItemSchema.of("", rules, true).getBytes(StandardCharsets.UTF_8), JsonNode.class)
                .path("$defs");
        Map<String, ColumnType> columns = new LinkedHashMap<>();
        add(columns, schema.at("/line/properties"), Set.of());
        add(columns, schema.at("/fields/properties"), takes(sink, ERROR) ? Set.of() : OF_ERRORS);
        if (takes(sink, PAGE)) {
            add(columns, schema.at("/fields/allOf/0/then/properties"), Set.of());
        }
        rules.stream().map(rule -> rule.type().orElse("")).distinct().filter(type -> takes(sink, type))
                .forEach(type -> schema.path("type." + type).path("anyOf")
                        .forEach(form -> add(columns, form.path("properties"), Set.of())));
        return columns;
    }

    private static boolean takes(SinkDefinition sink, String type) {
        return sink.types().isEmpty() || sink.types().contains(type);
    }

    /** A field that is of two types in two rules is JSON. */
    private static void add(Map<String, ColumnType> columns, JsonNode properties, Set<String> without) {
        properties.properties().stream().filter(field -> !without.contains(field.getKey())).forEach(field -> columns
                .merge(field.getKey(), type(field.getValue()), (one, other) -> one == other ? one : ColumnType.JSON));
    }

    private static ColumnType type(JsonNode property) {
        if (property.path("const").isBoolean()) {
            return ColumnType.FLAG;
        }
        return switch (property.path("type").asText()) {
            // Dates of rules may have no time.
            case "string" -> property.path("pattern").asText().endsWith("Z$") ? ColumnType.TIME : ColumnType.TEXT;
            case "integer" -> ColumnType.INTEGER;
            case "number" -> ColumnType.NUMBER;
            case "array" -> property.at("/items/type").asText().equals("string") || property.at("/items/enum").isArray()
                    ? ColumnType.TEXTS
                    : ColumnType.JSON;
            default -> ColumnType.JSON;
        };
    }
}
