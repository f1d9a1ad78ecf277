package io.trawl.standalone.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.standalone.print.Cell;
import io.trawl.standalone.print.Column;
import io.trawl.standalone.print.Screen;
import io.trawl.standalone.print.Style;
import io.trawl.standalone.print.Table;
import io.trawl.standalone.report.Figures;
import java.util.List;

/** Any JSON object as names and values, what is inside objects indented: for answers whose fields differ by kind of module. Pure. */
public final class TreeText {
    private static final String INDENT = "  ";

    private TreeText() {}

    /** The lines. */
    public static List<String> of(JsonNode json, Screen screen) {
        Table table = new Table(Column.words(""), Column.text(""));
        add(table, json, "");
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
