package io.trawl.coordinator.text;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.coordinator.text.Table.Cell;
import io.trawl.coordinator.text.Table.Column;
import io.trawl.coordinator.view.ItemCalls.FoundItem;
import io.trawl.coordinator.view.ItemCalls.ItemList;
import java.util.ArrayList;
import java.util.List;

/** Stored items as a table, and one by one. Their fields come from the web and are untrusted. Pure functions. */
public final class ItemsText {
    private ItemsText() {}

    /** The table; a message if there are none. */
    public static List<String> of(ItemList items, Screen screen) {
        Table table = new Table(Column.words("FETCHED"), Column.words("STATUS"), Column.text("URL"),
                Column.text("TITLE"));
        items.items().forEach(found -> table.row(Cell.of(text(found, "fetchedAt")),
                Cell.of(status(found), style(found)), Cell.of(request(found)), Cell.of(title(found))));
        List<String> lines = new ArrayList<>(table.empty() ? List.of("no items") : table.lines(screen));
        if (!items.complete()) {
            lines.add("older items are not shown: " + Figures.count(items.scanned()) + " were read");
        }
        return lines;
    }

    /** One item on one line, not truncated and without columns, for streams. */
    public static String line(FoundItem found, Screen screen) {
        return String.join("  ", TerminalText.safe(text(found, "fetchedAt")),
                screen.paint(style(found), TerminalText.safe(status(found))), TerminalText.safe(request(found)),
                TerminalText.safe(title(found)));
    }

    /** The URL, and before it the method unless that is GET. */
    private static String request(FoundItem found) {
        return (found.item().path("method").asText() + " " + text(found, "url")).strip();
    }

    private static String status(FoundItem found) {
        JsonNode item = found.item();
        return item.hasNonNull("status")
                ? item.path("status").asText()
                : item.path("reason").asText(item.path("kind").asText(Figures.UNKNOWN));
    }

    private static Style style(FoundItem found) {
        return found.item().has("cause") ? Style.WARNING : Style.PLAIN;
    }

    private static String title(FoundItem found) {
        return found.item().has("cause") ? text(found, "cause") : text(found, "title");
    }

    private static String text(FoundItem found, String field) {
        return found.item().path(field).asText(Figures.UNKNOWN);
    }
}
