package io.trawl.coordinator.text;

import io.trawl.control.StopSign.SignScope;
import io.trawl.coordinator.summary.StopSignSummary;
import io.trawl.coordinator.summary.StopSignSummary.DealtModule;
import io.trawl.coordinator.summary.StopSignSummary.PastSign;
import io.trawl.coordinator.summary.StopSignSummary.WaitingModule;
import io.trawl.coordinator.text.Table.Cell;
import io.trawl.coordinator.text.Table.Column;
import io.trawl.model.CrawlId;
import io.trawl.model.MID;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Stop signs (S4), with the modules that have dealt with them and those that have not yet. Pure functions. */
public final class StopSignText {
    private StopSignText() {}

    /** One line about a sign. */
    public static String line(StopSignSummary sign, Screen screen) {
        String whose = "stop sign of " + whose(sign) + ": ";
        if (!sign.signed()) {
            return whose + "none";
        }
        String drained = "set at " + sign.at().map(Figures::moment).orElse(Figures.UNKNOWN) + ", " + drained(sign);
        return whose + screen.paint(sign.complete() ? Style.PLAIN : Style.WARNING, drained);
    }

    /** {@code the fleet}, {@code docs}, {@code host example.org} or {@code D3|10.0.0.7:8081}. */
    public static String whose(StopSignSummary sign) {
        return sign.crawl().map(CrawlId::value).or(() -> sign.host().map(host -> "host " + TerminalText.safe(host)))
                .or(() -> sign.module().map(MID::toString)).orElse("the fleet");
    }

    /**
     * What the sign of a key stops, for a process that reads it: {@code fleet}, {@code crawl docs},
     * {@code this process}.
     */
    static String inColumn(String key, MID reader) {
        if (key.equals(SignScope.FLEET.key())) {
            return "fleet";
        }
        return key.equals(SignScope.of(reader).key())
                ? "this process"
                : TerminalText.safe(key.replaceFirst("^stop/host:", "host ").replaceFirst("^stop/", "crawl ")
                        .replaceFirst("^moves/", "moves of "));
    }

    /** The number of modules that have drained, and the modules that have not yet, with what they wait for. */
    public static String drained(StopSignSummary sign) {
        int drained = sign.deals().size();
        String all = drained + " of " + (drained + sign.waiting().size()) + " modules have drained";
        return sign.waiting().isEmpty()
                ? all
                : all + ", waiting for " + sign.waiting().stream().map(w -> w.mid() + " (" + why(w) + ")")
                        .collect(Collectors.joining(", "));
    }

    private static String why(WaitingModule waiting) {
        return waiting.inFlight()
                .map(n -> n + " in flight" + waiting.oldest()
                        .map(o -> ": " + TerminalText.safe(o.url()) + ", " + Figures.time(o.age())).orElse(""))
                .orElse("has not reported the sign");
    }

    /** The line, a table of the modules, and the history of the sign. */
    public static List<String> of(StopSignSummary sign, Screen screen) {
        List<String> lines = new ArrayList<>(List.of(line(sign, screen)));
        Table modules = new Table(Column.words("MID"), Column.words("STOP SIGN"), Column.words("AT"),
                Column.numbers("TOOK"), Column.numbers("IN FLIGHT"), Column.numbers("DEALS"));
        sign.deals().forEach(deal -> modules.row(row(deal)));
        sign.waiting()
                .forEach(w -> modules.row(Cell.of(w.mid().toString()), Cell.of("waiting: " + why(w), Style.WARNING)));
        Table history = new Table(Column.words("VERSION"), Column.words("WHAT"), Column.words("AT"),
                Column.numbers("MODULES"), Column.numbers("SLOWEST"));
        sign.history().orElse(List.of()).forEach(past -> history.row(row(past)));
        for (Table table : List.of(modules, history)) {
            if (!table.empty()) {
                lines.add("");
                lines.addAll(table.lines(screen));
            }
        }
        return lines;
    }

    private static Cell[] row(DealtModule deal) {
        return new Cell[]{Cell.of(deal.mid().toString()),
                Cell.of(deal.live() ? "drained" : "drained, has left", Style.GOOD),
                Cell.of(deal.at().map(Figures::moment).orElse(Figures.UNKNOWN)),
                Cell.of(deal.took().map(Figures::time).orElse(Figures.UNKNOWN)),
                Cell.of(deal.inFlight().map(Figures::count).orElse(Figures.UNKNOWN)),
                Cell.of(Figures.count(deal.times()))};
    }

    private static Cell[] row(PastSign past) {
        return new Cell[]{Cell.of(Long.toString(past.version())), Cell.of(past.signed() ? "set" : "reset"),
                Cell.of(Figures.moment(past.at())), Cell.of(past.signed() ? Figures.count(past.deals()) : ""),
                Cell.of(past.slowest().map(Figures::time).orElse(""))};
    }
}
