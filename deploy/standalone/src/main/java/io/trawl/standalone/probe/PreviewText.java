package io.trawl.standalone.probe;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.standalone.print.Cell;
import io.trawl.standalone.print.Column;
import io.trawl.standalone.print.Screen;
import io.trawl.standalone.print.Style;
import io.trawl.standalone.print.Table;
import io.trawl.standalone.report.Figures;
import io.trawl.standalone.view.Fields;
import io.trawl.standalone.view.TreeText;
import java.util.ArrayList;
import java.util.List;

/** A preview: the response, the links with their verdicts, the items and the errors. All of it comes from a stranger's page. Pure. */
final class PreviewText {
    private static final String ADMITTED = "ADMITTED";

    private PreviewText() {}

    /** The lines. */
    static List<String> of(JsonNode preview, Screen screen) {
        List<String> lines = new ArrayList<>();
        lines.add(screen.paint(Style.BOLD, Cell.of(preview.path("url").asText()).text()));
        lines.addAll(response(preview, screen));
        links(lines, preview.path("links"), screen);
        int number = 0;
        for (JsonNode item : preview.path("items")) {
            heading(lines, "item " + ++number, screen);
            lines.addAll(TreeText.of(item, screen));
        }
        if (!preview.path("errors").isEmpty()) {
            heading(lines, "errors", screen);
            preview.path("errors").forEach(error -> lines.add("  " + Cell.of(shown(error)).text()));
        }
        return lines;
    }

    private static List<String> response(JsonNode preview, Screen screen) {
        JsonNode response = preview.path("response");
        Table table = new Table(Column.words(""), Column.text(""));
        response.properties().forEach(field -> table.row(Cell.of("  " + field.getKey()),
                Cell.of(value(field.getKey(), field.getValue()), field.getKey().equals("failure") ? Style.BAD : Style.PLAIN)));
        List.of("downloader", "analyzer").forEach(who -> Fields.text(preview, who)
                .ifPresent(mid -> table.row(Cell.of("  " + who), Cell.of(mid, Style.DIM))));
        return table.lines(screen);
    }

    private static String value(String field, JsonNode value) {
        return field.equals("bytes") && value.isIntegralNumber() ? Figures.bytes(value.asLong()) : shown(value);
    }

    private static void links(List<String> lines, JsonNode links, Screen screen) {
        long admitted = links.valueStream().filter(link -> link.path("verdict").asText().equals(ADMITTED)).count();
        heading(lines, "links: " + Figures.count(links.size()) + ", of which " + Figures.count(admitted) + " would be followed",
                screen);
        Table table = new Table(Column.words(""), Column.text(""), Column.words(""));
        links.forEach(link -> {
            String verdict = link.path("verdict").asText();
            table.row(Cell.of("  " + verdict, verdict.equals(ADMITTED) ? Style.GOOD : Style.WARNING),
                    Cell.of(link.path("url").asText()),
                    Cell.of(link.path("nofollow").asBoolean() ? "nofollow" : "", Style.DIM));
        });
        lines.addAll(table.lines(screen));
    }

    private static void heading(List<String> lines, String text, Screen screen) {
        lines.add("");
        lines.add(screen.paint(Style.BOLD, text));
    }

    private static String shown(JsonNode value) {
        return value.isValueNode() ? value.asText() : value.toString();
    }
}
