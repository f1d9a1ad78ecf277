package io.trawl.coordinator.text;

import io.trawl.coordinator.channel.ReplacementPlan;
import io.trawl.coordinator.channel.ReplacementPlan.CountChange;
import io.trawl.coordinator.channel.ReplacementPlan.MovedHost;
import io.trawl.coordinator.summary.QueueSummary;
import io.trawl.coordinator.summary.QueueSummary.ChannelBacklog;
import io.trawl.coordinator.summary.QueueSummary.ReplacementProgress;
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
    private static final int SHOWN_HOSTS = 10;

    private QueueText() {}

    /** The lines; the last is {@link QueueSummary#line}. */
    public static List<String> of(QueueSummary queue, Screen screen) {
        Table table = new Table(Column.words("CHANNEL"), Column.numbers("BACKLOG"), Column.numbers("CAPACITY"),
                Column.numbers("FULL"), Column.numbers("PUSHED"), Column.numbers("POPPED"), Column.numbers("WAITING"),
                Column.numbers("ABANDONED"));
        queue.levels().forEach(level -> row(table, "requests p" + level.priority(), queue.length(level),
                level.capacity(), level.pushed(), level.popped(), level.waiting(), level.abandoned()));
        channel(table, "responses", queue.responses());
        channel(table, "items", queue.items());
        row(table, "errors", queue.errors().backlog(), Optional.empty(), "bounded");
        List<String> lines = new ArrayList<>(table.lines(screen));
        queue.items().unfinished()
                .ifPresent(n -> lines.add("items that are in no finished file: at most " + Figures.count(n)));
        refused(lines, "refused in the topic", queue.refused());
        refused(lines, "refused in calls", queue.refusedCalls());
        queue.counting().ifPresent(counting -> lines.add(screen.paint(Style.WARNING, Figures.incomplete(counting))));
        queue.replacement().ifPresent(replacement -> lines.add(screen.paint(Style.WARNING, replacing(replacement))));
        queue.relaying().ifPresent(change -> lines.add(screen.paint(Style.WARNING, "responses get " + change.to()
                + " partitions instead of " + change.from() + ": analyzers handle those of the former ones first")));
        queue.changes()
                .forEach(change -> lines.add(Figures.moment(change.done()) + " " + TerminalText.safe(change.text())));
        lines.add("");
        lines.add("pushed " + Figures.count(queue.pushed()) + ", popped " + Figures.count(queue.popped()));
        lines.add(TerminalText.safe(queue.line()));
        return lines;
    }

    private static String replacing(ReplacementProgress replacement) {
        return "the request topics of generation " + replacement.from() + " are replaced by those of generation "
                + replacement.to() + ": " + (replacement.opened() ? "these are served" : "nothing is fetched yet")
                + ", " + Figures.count(replacement.forwarded()) + " forwarded, " + Figures.count(replacement.left())
                + " left"
                + replacement.secondsLeft().map(seconds -> ", about " + Figures.count(seconds, "second")).orElse("");
    }

    /** The plan of a change of counts. */
    public static List<String> plan(ReplacementPlan plan, Screen screen) {
        List<String> lines = new ArrayList<>();
        if (plan.items().from() != plan.items().to()) {
            lines.add(
                    "items " + (plan.begun() ? "are" : "would be") + " written to " + change(plan.items(), "partitions")
                            + ", from the next batch of each analyzer on; others are read, too");
        }
        if (plan.responses().from() != plan.responses().to()) {
            lines.add("responses " + (plan.begun() ? "are" : "would be") + " written to "
                    + change(plan.responses(), "partitions")
                    + "; analyzers handle those of the former partitions first");
        }
        if (plan.ledger().from() != plan.ledger().to()) {
            lines.add("runs that begin from now on " + (plan.begun() ? "have " : "would have ")
                    + change(plan.ledger(), "partitions") + " of the ledger; each run before keeps its own");
        }
        if (plan.ofRequests()) {
            requests(plan, lines, screen);
        }
        return lines;
    }

    private static void requests(ReplacementPlan plan, List<String> lines, Screen screen) {
        lines.add((plan.begun() ? "replacing" : "would replace") + " the request topics of generation "
                + plan.generation() + ": " + change(plan.partitions(), "partitions") + ", "
                + change(plan.levels(), "levels"));
        lines.add("to forward: up to " + Figures.count(plan.waiting(), "request"));
        lines.add("nothing is fetched for up to " + plan.restSeconds() + " s; for up to " + plan.leaseSeconds()
                + " s if a downloader was killed just before");
        if (plan.hosts().isEmpty()) {
            lines.add("no host with waiting requests changes its partition"
                    + (plan.complete() ? "" : ", of those that were read"));
        } else {
            lines.add("hosts that change their partition, those with most waiting requests first"
                    + (plan.complete() ? ":" : ", of the requests that were read in time:"));
            Table table = new Table(Column.words("HOST"), Column.numbers("WAITING"), Column.numbers("FROM"),
                    Column.numbers("TO"));
            plan.hosts().stream().limit(SHOWN_HOSTS).forEach(host -> row(table, host));
            lines.addAll(table.lines(screen));
            if (plan.hosts().size() > SHOWN_HOSTS) {
                lines.add("and at least " + (plan.hosts().size() - SHOWN_HOSTS)
                        + " others; --json shows up to a hundred");
            }
        }
        if (plan.begun()) {
            lines.add("trawl queue shows how far it is");
        }
    }

    private static String change(CountChange change, String noun) {
        return change.from() == change.to()
                ? change.from() + " " + noun
                : change.from() + " -> " + change.to() + " " + noun;
    }

    private static void row(Table table, MovedHost host) {
        table.row(Cell.of(TerminalText.safe(host.host())), Cell.of(Figures.count(host.waiting())),
                Cell.of(Integer.toString(host.from())), Cell.of(Integer.toString(host.to())));
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
