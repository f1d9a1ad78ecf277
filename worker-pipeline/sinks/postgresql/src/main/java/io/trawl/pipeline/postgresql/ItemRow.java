package io.trawl.pipeline.postgresql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.codec.Json;
import io.trawl.definition.sink.ItemVersion;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An item as a row: columns by field.
 *
 * @param id of the item
 * @param columns without nulls
 */
record ItemRow(String id, Map<String, JsonNode> columns) {
    /** The column for fields that have none of their own. */
    static final String MORE = "more";
    /** The columns of every row, in their order. */
    static final List<String> FIRST = List.of("id", "key", "crawl", "epoch", "type", "url");
    /** The version of the item, see {@link ItemVersion}, in tables that keep the newest one. */
    static final String VERSION = "_version";
    private static final int LONGEST = 63;
    private static final Set<String> OF_SYSTEM = Set.of("tableoid", "xmin", "cmin", "xmax", "cmax", "ctid", MORE);
    /** An escape of the character that PostgreSQL cannot store, behind no other backslash. */
    private static final Pattern NUL = Pattern.compile("(?<!\\\\)((?:\\\\\\\\)*+)\\\\u0000");

    /** The row of an item. What its fields hold that JSON cannot express is text. */
    static ItemRow of(Item item) {
        Map<String, JsonNode> columns = new LinkedHashMap<>();
        columns.put("id", Json.mapper().valueToTree(item.id()));
        columns.put("key", Json.mapper().valueToTree(item.key()));
        columns.put("crawl", Json.mapper().valueToTree(item.crawl()));
        columns.put("epoch", Json.mapper().valueToTree(item.epoch()));
        columns.put("url", Json.mapper().valueToTree(item.url()));
        item.fields().forEach((name, value) -> columns.putIfAbsent(name, tree(value)));
        if (item.kind() == ItemKind.ERROR) {
            columns.put("type", TextNode.valueOf("error"));
        }
        columns.values().removeIf(JsonNode::isNull);
        return new ItemRow(item.id(), columns);
    }

    /** The row of an item in a table that keeps the newest one of each key; of one that is gone, only the mark. */
    static ItemRow versioned(Item item) {
        ItemRow row = of(ItemVersion.gone(item) ? ItemVersion.marked(Map.of(), item) : item);
        Map<String, JsonNode> columns = new LinkedHashMap<>(row.columns());
        columns.put(VERSION, LongNode.valueOf(ItemVersion.of(item)));
        return new ItemRow(row.id(), columns);
    }

    private static JsonNode tree(Object value) {
        try {
            return Json.mapper().valueToTree(value);
        } catch (IllegalArgumentException | StackOverflowError e) {
            return TextNode.valueOf(value.getClass().getName());
        }
    }

    /** Whether a field can have a column. */
    static boolean hasColumn(String field) {
        return !field.isEmpty() && field.getBytes(StandardCharsets.UTF_8).length <= LONGEST && field.indexOf(0) < 0
                && !OF_SYSTEM.contains(field);
    }

    /** The same with all fields but these in the column {@value #MORE}. */
    ItemRow within(Set<String> known) {
        if (known.containsAll(columns.keySet())) {
            return this;
        }
        Map<String, JsonNode> kept = new LinkedHashMap<>(columns);
        kept.keySet().retainAll(known);
        Map<String, JsonNode> rest = new LinkedHashMap<>(columns);
        rest.keySet().removeAll(known);
        kept.put(MORE, Json.mapper().valueToTree(rest));
        return new ItemRow(id, kept);
    }

    /** The line of the row in the text format of {@code COPY}. */
    String line(List<String> order, Map<String, SqlType> types) {
        return order.stream()
                .map(column -> columns.containsKey(column)
                        ? escaped(text(columns.getOrDefault(column, TextNode.valueOf("")),
                                types.getOrDefault(column, SqlType.TEXT)))
                        : "\\N")
                .collect(Collectors.joining("\t", "", "\n"));
    }

    private static String text(JsonNode value, SqlType type) {
        boolean plain = value.isValueNode() && type != SqlType.JSON;
        return plain ? value.asText().replace('\0', '\ufffd') : NUL.matcher(value.toString()).replaceAll("$1\ufffd");
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t");
    }
}
