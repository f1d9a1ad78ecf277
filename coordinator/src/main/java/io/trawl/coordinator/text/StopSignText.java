package io.trawl.coordinator.text;

import io.trawl.coordinator.summary.StopSignSummary;
import io.trawl.coordinator.text.Table.Cell;
import io.trawl.coordinator.text.Table.Column;
import io.trawl.model.CrawlId;
import io.trawl.model.MID;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Stop signs (S4), with the modules that have drained and those that have not yet. Pure functions. */
public final class StopSignText {
    private StopSignText() {}

    /** One line about a sign. */
    public static String line(StopSignSummary sign, Screen screen) {
        String whose = "stop sign of " + sign.crawl().map(CrawlId::value).orElse("the fleet") + ": ";
        if (!sign.signed()) {
            return whose + "none";
        }
        String drained = "set at " + sign.at().map(Figures::moment).orElse(Figures.UNKNOWN) + ", " + drained(sign);
        return whose + screen.paint(sign.complete() ? Style.PLAIN : Style.WARNING, drained);
    }

    /** The number of modules that have drained, and the modules that have not yet. */
    public static String drained(StopSignSummary sign) {
        int drained = sign.deals().size();
        String all = drained + " of " + (drained + sign.waiting().size()) + " modules have drained";
        return sign.waiting().isEmpty()
                ? all
                : all + ", waiting for " + sign.waiting().stream().map(MID::toString).collect(Collectors.joining(", "));
    }

    /** The line, and a table of the modules. */
    public static List<String> of(StopSignSummary sign, Screen screen) {
        List<String> lines = new ArrayList<>(List.of(line(sign, screen)));
        Table table = new Table(Column.words("MID"), Column.words("STOP SIGN"), Column.numbers("DEALS"));
        sign.deals().forEach((mid, deals) -> table.row(Cell.of(mid), Cell.of("drained", Style.GOOD),
                Cell.of(Figures.count(deals))));
        sign.waiting().forEach(mid -> table.row(Cell.of(mid.toString()), Cell.of("waiting", Style.WARNING)));
        if (!table.empty()) {
            lines.add("");
            lines.addAll(table.lines(screen));
        }
        return lines;
    }
}
