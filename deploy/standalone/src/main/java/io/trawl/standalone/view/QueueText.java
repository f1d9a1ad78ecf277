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
import java.util.Map;
import java.util.Optional;

/** How full the channels are (S1, S2), as a table. Pure. */
final class QueueText {
    private static final double NEARLY_FULL = 0.8;

    private QueueText() {}

    /** The lines. */
    static List<String> of(JsonNode queue, Screen screen) {
        Table table = new Table(Column.words("CHANNEL"), Column.numbers("BACKLOG"), Column.numbers("CAPACITY"),
                Column.numbers("FULL"),
                Column.numbers("PUSHED"), Column.numbers("POPPED"), Column.numbers("WAITING"), Column.numbers("ABANDONED"));
        queue.path("levels")
                .forEach(level -> table.row(Cell.of("requests p" + level.path("priority").asInt()), backlog(level, "capacity"),
                        most(level, "capacity"), full(level, "capacity"), Cell.of(Fields.count(level, "pushed")),
                        Cell.of(Fields.count(level, "popped")), Cell.of(Fields.count(level, "waiting")),
                        Cell.of(Fields.count(level, "abandoned"))));
        List.of("responses", "items").forEach(name -> {
            JsonNode channel = queue.path(name);
            table.row(Cell.of(name), backlog(channel, "limit"), most(channel, "limit"), full(channel, "limit"));
        });
        List<String> lines = new ArrayList<>(table.lines(screen));
        refused(lines, "refused in the topic", queue.path("refused"));
        refused(lines, "refused in calls", queue.path("refusedCalls"));
        lines.add("");
        lines.add("pushed " + Fields.count(queue, "pushed") + ", popped " + Fields.count(queue, "popped"));
        lines.add(Cell.of(queue.path("line").asText()).text());
        return lines;
    }

    private static void refused(List<String> lines, String label, JsonNode reasons) {
        Map<String, Long> counts = Fields.counts(reasons);
        if (counts.values().stream().anyMatch(n -> n > 0)) {
            lines.add(label + ": " + Cell.of(Figures.largestFirst(counts)).text());
        }
    }

    private static Cell backlog(JsonNode channel, String limit) {
        return Cell.of(Fields.count(channel, "backlog"),
                fill(channel, limit).orElse(0.0) >= NEARLY_FULL ? Style.WARNING : Style.PLAIN);
    }

    private static Cell most(JsonNode channel, String limit) {
        return Cell.of(Fields.number(channel, limit).map(Figures::count).orElse("unlimited"));
    }

    private static Cell full(JsonNode channel, String limit) {
        return Cell.of(fill(channel, limit).map(f -> (long) (f * 100) + " %").orElse(""));
    }

    private static Optional<Double> fill(JsonNode channel, String limit) {
        return Fields.number(channel, "backlog")
                .flatMap(n -> Fields.number(channel, limit).filter(most -> most > 0).map(most -> n / (double) most));
    }
}
