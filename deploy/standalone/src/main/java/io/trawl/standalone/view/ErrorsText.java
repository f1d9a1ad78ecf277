package io.trawl.standalone.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.standalone.print.Cell;
import io.trawl.standalone.print.Column;
import io.trawl.standalone.print.Screen;
import io.trawl.standalone.print.Style;
import io.trawl.standalone.print.Table;
import java.io.IOException;
import java.util.List;

/** Errors as a table, and one by one. Their URLs and causes come from strangers. Pure. */
final class ErrorsText {
    private ErrorsText() {}

    /** The table; one line that says so if there are none. */
    static List<String> of(JsonNode errors, Screen screen) {
        Table table = new Table(Column.words("AT"), Column.words("CRAWL"), Column.words("KIND"), Column.words("MID"),
                Column.text("URL"),
                Column.text("CAUSE"));
        errors.forEach(error -> table.row(Cell.of(Fields.time(error, "at")), Cell.of(error.path("crawl").asText()),
                Cell.of(error.path("kind").asText(), Style.WARNING), Cell.of(error.path("mid").asText(), Style.DIM),
                Cell.of(error.path("url").asText()), Cell.of(error.path("cause").asText())));
        return table.empty() ? List.of("no errors") : table.lines(screen);
    }

    /** One error on one line, as wide as it is: what comes next is not known, so there are no columns. */
    static String line(String json, Screen screen) {
        try {
            JsonNode error = Json.mapper().readTree(json);
            return Fields.time(error, "at") + "  " + part(error, "crawl") + "  "
                    + screen.paint(Style.WARNING, part(error, "kind"))
                    + "  "
                    + screen.paint(Style.DIM, part(error, "mid")) + "  " + part(error, "url") + "  " + part(error, "cause");
        } catch (IOException e) {
            return Cell.of(json).text();
        }
    }

    private static String part(JsonNode error, String field) {
        return Cell.of(Fields.text(error, field).orElse(Fields.UNKNOWN)).text();
    }
}
