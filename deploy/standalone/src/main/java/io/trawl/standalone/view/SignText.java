package io.trawl.standalone.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.standalone.print.Cell;
import io.trawl.standalone.print.Column;
import io.trawl.standalone.print.Screen;
import io.trawl.standalone.print.Style;
import io.trawl.standalone.print.Table;
import io.trawl.standalone.report.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Stop signs (S4): who has dealt with one and who is waited for. Pure. */
public final class SignText {
    private SignText() {}

    /** One line about a sign. */
    public static String line(JsonNode sign, Screen screen) {
        String whose = "stop sign of " + Fields.text(sign, "crawl").map(id -> Cell.of(id).text()).orElse("the fleet") + ": ";
        if (!sign.path("signed").asBoolean()) {
            return whose + "none";
        }
        boolean complete = sign.path("complete").asBoolean();
        String dealt = "stands since " + Fields.time(sign, "at") + ", "
                + dealt(sign);
        return whose + screen.paint(complete ? Style.PLAIN : Style.WARNING, dealt);
    }

    /** Who has dealt, how often, and who is waited for. */
    public static String dealt(JsonNode sign) {
        int waiting = sign.path("waiting").size();
        String all = sign.path("deals").size() + " of " + (sign.path("deals").size() + waiting) + " modules have dealt with it";
        return waiting == 0
                ? all
                : all + ", waiting for " + sign.path("waiting").valueStream().map(mid -> Cell.of(mid.asText()).text())
                        .collect(Collectors.joining(", "));
    }

    /** The line, and a table of the modules. */
    public static List<String> of(JsonNode sign, Screen screen) {
        List<String> lines = new ArrayList<>(List.of(line(sign, screen)));
        Table table = new Table(Column.words("MID"), Column.words("STOP SIGN"), Column.numbers("DEALS"));
        sign.path("deals").properties().forEach(deal -> table.row(Cell.of(deal.getKey()), Cell.of("dealt with", Style.GOOD),
                Cell.of(Figures.count(deal.getValue().asLong()))));
        sign.path("waiting").forEach(mid -> table.row(Cell.of(mid.asText()), Cell.of("waited for", Style.WARNING)));
        if (!table.empty()) {
            lines.add("");
            lines.addAll(table.lines(screen));
        }
        return lines;
    }
}
