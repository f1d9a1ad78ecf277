package io.trawl.coordinator.text;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.coordinator.text.Table.Cell;
import io.trawl.coordinator.text.Table.Column;
import java.util.List;

/**
 * Names and values of a record of any type, such as an item or the summary of a module; nested objects are indented.
 * Pure functions.
 */
public final class TreeText {
    private static final String INDENT = "  ";

    private TreeText() {}

    /** The lines, one for each field of the value's JSON. */
    public static List<String> of(Object value, Screen screen) {
        Table table = new Table(Column.words(""), Column.text(""));
        add(table, Json.mapper().valueToTree(value), "");
        return table.lines(screen);
    }

    private static void add(Table table, JsonNode json, String indent) {
        json.properties().forEach(field -> {
            JsonNode value = field.getValue();
            if (value.isObject() || value.isArray() && value.valueStream().anyMatch(JsonNode::isContainerNode)) {
                table.row(Cell.of(indent + field.getKey(), Style.BOLD));
                add(table, value, indent + INDENT);
            } else {
                table.row(Cell.of(indent + field.getKey()), Cell.of(shown(value)));
            }
        });
        if (json.isArray()) {
            json.forEach(entry -> add(table, entry, indent));
        }
    }

    private static String shown(JsonNode value) {
        if (value.isArray()) {
            return String.join(", ", value.valueStream().map(TreeText::shown).toList());
        }
        return value.isIntegralNumber() ? Figures.count(value.asLong()) : value.asText();
    }
}
