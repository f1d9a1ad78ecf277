package io.trawl.coordinator.text;

import io.trawl.coordinator.summary.QueueSummary;
import io.trawl.coordinator.summary.QueueSummary.ChannelBacklog;
import io.trawl.coordinator.text.Table.Cell;
import io.trawl.coordinator.text.Table.Column;
import io.trawl.model.RefusalReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The channels and their backlogs (S1, S2) as a table. Pure functions. */
public final class QueueText {
    private static final double NEARLY_FULL = 0.8;

    private QueueText() {}

    /** The lines; the last is {@link QueueSummary#line}. */
    public static List<String> of(QueueSummary queue, Screen screen) {
        Table table = new Table(Column.words("CHANNEL"), Column.numbers("BACKLOG"), Column.numbers("CAPACITY"),
                Column.numbers("FULL"), Column.numbers("PUSHED"), Column.numbers("POPPED"), Column.numbers("WAITING"),
                Column.numbers("ABANDONED"));
        queue.levels().forEach(level -> row(table, "requests p" + level.priority(), queue.length(level), level.capacity(),
                level.pushed(), level.popped(), level.waiting(), level.abandoned()));
        channel(table, "responses", queue.responses());
        channel(table, "items", queue.items());
        row(table, "errors", queue.errors().backlog(), Optional.empty(), "bounded");
        List<String> lines = new ArrayList<>(table.lines(screen));
        queue.items().unfinished().ifPresent(n -> lines.add("items that are in no finished file: " + Figures.count(n)));
        refused(lines, "refused in the topic", queue.refused());
        refused(lines, "refused in calls", queue.refusedCalls());
        queue.counting().ifPresent(counting -> lines.add(screen.paint(Style.WARNING, Figures.incomplete(counting))));
        lines.add("");
        lines.add("pushed " + Figures.count(queue.pushed()) + ", popped " + Figures.count(queue.popped()));
        lines.add(TerminalText.safe(queue.line()));
        return lines;
    }

    private static void channel(Table table, String name, ChannelBacklog channelBacklog) {
        row(table, name, channelBacklog.backlog(), channelBacklog.limit());
    }

    private static void row(Table table, String name, Optional<Long> backlog, Optional<Long> limit, long... counts) {
        row(table, name, backlog, limit, "unlimited", counts);
    }

    private static void row(Table table, String name, Optional<Long> backlog, Optional<Long> limit, String without,
            long... counts) {
        Optional<Double> fill = backlog.flatMap(n -> limit.filter(most -> most > 0).map(most -> n / (double) most));
        List<Cell> cells = new ArrayList<>();
        cells.add(Cell.of(name));
        cells.add(Cell.of(Figures.count(backlog), fill.orElse(0.0) >= NEARLY_FULL ? Style.WARNING : Style.PLAIN));
        cells.add(Cell.of(limit.map(Figures::count).orElse(without)));
        cells.add(Cell.of(fill.map(f -> (long) (f * 100) + " %").orElse("")));
        for (long count : counts) {
            cells.add(Cell.of(Figures.count(count)));
        }
        table.row(cells.toArray(Cell[]::new));
    }

    private static void refused(List<String> lines, String label, Map<RefusalReason, Long> counts) {
        if (Figures.sum(counts) > 0) {
            lines.add(label + ": " + Figures.largestFirst(counts));
        }
    }
}
