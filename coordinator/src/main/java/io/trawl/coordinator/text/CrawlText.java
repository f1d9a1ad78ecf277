package io.trawl.coordinator.text;

import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.CrawlState;
import io.trawl.control.RunVisits.PromotedVisits;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.ItemTotals;
import io.trawl.coordinator.summary.Rates;
import io.trawl.coordinator.lifecycle.RefreshPlan;
import io.trawl.coordinator.summary.Totals;
import io.trawl.coordinator.text.Table.Cell;
import io.trawl.coordinator.text.Table.Column;
import io.trawl.definition.CrawlDefinition.Scope;
import io.trawl.ledger.LedgerRecord.StraySeed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Crawls: one in full, and all of them as a table. Pure functions. */
public final class CrawlText {
    private CrawlText() {}

    /**
     * A line of the text of a crawl.
     *
     * @param label what it is about
     * @param value a number; may be empty
     * @param detail the parts of the number; may be empty
     */
    public record Row(String label, String value, String detail) {}

    /**
     * One crawl: the answers to its requests, its errors and refusals by kind, its speed and its estimated remaining
     * time.
     */
    public static List<String> of(CrawlSummary crawl, Screen screen) {
        return of(crawl, rates(crawl.rates()), seed -> "trawl domains " + crawl.run().crawl() + " add " + seed.domain(),
                screen);
    }

    /** The same, with its definition and its next run. */
    static List<String> inFull(CrawlSummary crawl, Screen screen) {
        List<String> lines = new ArrayList<>(of(crawl, screen));
        crawl.startedAt().ifPresent(at -> lines.add("started at " + Figures.moment(at)));
        crawl.end().ifPresent(
                end -> lines.add("ended at " + Figures.moment(end.at()) + ": " + Figures.word(end.reason())));
        crawl.closedAt().ifPresent(at -> lines.add("closed at " + Figures.moment(at)));
        crawl.nextRun().ifPresent(at -> lines.add("next run at " + Figures.moment(at)));
        if (crawl.definition() != null) {
            lines.add("definition, with " + Figures.count(crawl.definedSeeds(), "seed") + ":");
            TreeText.of(crawl.definition(), screen).forEach(line -> lines.add("  " + line));
        }
        return lines;
    }

    /**
     * One crawl, with rows of the caller instead of its speed.
     *
     * @param rows shown below the counts
     * @param accept the instruction for accepting the domain to which a seed redirects
     */
    public static List<String> of(CrawlSummary crawl, List<Row> rows, Function<StraySeed, String> accept,
            Screen screen) {
        List<Row> all = new ArrayList<>(pages(crawl.totals()));
        crawl.totals().render().ifPresent(render -> all.add(RenderText.row(render)));
        all.add(new Row("errors", Figures.count(crawl.errors()), Figures.largestFirst(crawl.errorsByKind())));
        all.add(new Row("refusals", Figures.count(Figures.sum(crawl.refusals())),
                Figures.largestFirst(crawl.refusals())));
        if (!crawl.refusalsByRule().isEmpty()) {
            all.add(new Row("by rule", Figures.count(Figures.sum(crawl.refusalsByRule())),
                    Figures.largestFirst(crawl.refusalsByRule())));
        }
        all.add(new Row("waiting", Figures.count(crawl.totals().waiting()),
                Figures.byPriority(crawl.waitingByPriority())));
        all.addAll(items(crawl));
        all.addAll(rows);
        all.add(new Row("domains", crawl.domains().contains(Scope.SEEDS) ? "" : Figures.count(crawl.domains().size()),
                String.join(", ", crawl.domains())));
        List<String> lines = new ArrayList<>();
        Cell state = state(crawl);
        lines.add(screen.paint(Style.BOLD, crawl.run().toString()) + refreshes(crawl) + ": "
                + screen.paint(state.style(), state.text()) + limit(crawl.end().map(End::reason)) + closed(crawl)
                + times(crawl));
        crawl.counting().ifPresent(counting -> lines.add(screen.paint(Style.WARNING, Figures.incomplete(counting))));
        lines.add(balance(crawl.totals()));
        if (crawl.totals().items().written() > 0) {
            lines.add(balance(crawl.totals().items()));
        }
        lines.addAll(lines(all, screen));
        crawl.straySeeds().stream().distinct().map(seed -> seed.url() + " redirects to " + seed.target()
                + ", which is not in the accepted domains: " + accept.apply(seed)).map(TerminalText::safe)
                .forEach(lines::add);
        crawl.notes().stream().map(TerminalText::safe)
                .forEach(note -> lines.add(screen.paint(Style.WARNING, "note: " + note)));
        return lines;
    }

    /** Pages that are stored, and those that are as they were at their last visit, if there are any. */
    static List<Row> pages(Totals totals) {
        Row pages = new Row("pages", Figures.count(totals.pages()), Figures.bytes(totals.bytes()));
        return totals.unchanged() == 0
                ? List.of(pages)
                : List.of(pages, new Row("unchanged", Figures.count(totals.unchanged()), ""));
    }

    /** The same in words. */
    static String pagesInBrief(Totals totals) {
        return Figures.count(totals.pages(), "page")
                + (totals.unchanged() > 0 ? ", " + Figures.count(totals.unchanged()) + " unchanged" : "");
    }

    /** The rows below each other. */
    static List<String> lines(List<Row> rows, Screen screen) {
        Table table = new Table(Column.words(""), Column.numbers(""), Column.text(""));
        rows.forEach(row -> table.row("  " + row.label(), row.value(), row.detail()));
        return table.lines(screen);
    }

    /** The word for its state. */
    public static Cell state(CrawlSummary crawl) {
        return Cell.of(crawl.condition(), switch (crawl.state()) {
            case STARTED -> Style.GOOD;
            case INITIALIZED -> Style.PLAIN;
            case STOPPED -> switch (crawl.end().map(End::reason).orElse(EndReason.ASKED)) {
                case FINISHED -> Style.PLAIN;
                case ASKED -> Style.DIM;
                default -> Style.WARNING;
            };
            default -> Style.WARNING;
        });
    }

    /** The limit that has ended a crawl, in brackets; empty if none has. */
    static String limit(Optional<EndReason> reason) {
        return reason.filter(end -> end != EndReason.FINISHED && end != EndReason.ASKED)
                .map(end -> " (" + Figures.word(end) + ")").orElse("");
    }

    /** {@code crawl docs/1 is started}. */
    public static String inBrief(CrawlSummary crawl) {
        return "crawl " + crawl.run() + refreshes(crawl) + " is " + state(crawl).text() + closed(crawl)
                + (crawl.end().filter(End::failed).isPresent() ? " and has failed" : "");
    }

    private static String refreshes(CrawlSummary crawl) {
        return crawl.refreshes()
                .map(of -> " (refreshes run " + of
                        + crawl.visits().filter(visits -> visits.later() > 0).map(CrawlText::visits).orElse("") + ")")
                .orElse("");
    }

    private static String visits(PromotedVisits visits) {
        return ": " + Figures.count(visits.made()) + " of " + Figures.count(visits.made() + visits.later()) + " pages"
                + (visits.overdue() > 0 ? ", " + Figures.count(visits.overdue()) + " overdue" : "");
    }

    /** {@code a refresh of docs would visit 7 pages of run 3, and leave 13 for the next one, 2 of them overdue}. */
    public static String planned(RefreshPlan plan) {
        PromotedVisits visits = plan.visits();
        return "a refresh of " + plan.crawl() + " would visit " + Figures.count(visits.made(), "page") + " of run "
                + plan.refreshes()
                + (visits.later() > 0 ? ", and leave " + Figures.count(visits.later()) + " for the next one" : "")
                + (visits.overdue() > 0 ? ", " + Figures.count(visits.overdue()) + " of them overdue" : "");
    }

    private static String closed(CrawlSummary crawl) {
        return crawl.closedAt().isPresent() ? " and closed" : "";
    }

    private static String times(CrawlSummary crawl) {
        Duration elapsed = crawl.elapsed();
        long waiting = crawl.totals().waiting();
        return (elapsed.isZero() ? "" : " after " + Figures.time(elapsed))
                + (crawl.state() == CrawlState.STOPPED && waiting > 0
                        ? ", " + Figures.count(waiting, "request") + " left"
                        : "")
                + (crawl.state() == CrawlState.STARTED ? Figures.left(crawl) : "") + (crawl.idle() ? ", idle" : "");
    }

    private static Optional<Duration> remaining(CrawlSummary crawl) {
        return crawl.remaining().filter(left -> crawl.state() == CrawlState.STARTED);
    }

    /** The conservation law: every emitted request has exactly one answer, or waits. */
    static String balance(Totals totals) {
        List<String> parts = new ArrayList<>(List.of(Figures.count(totals.pages(), "page")));
        if (totals.unchanged() > 0) {
            parts.add(Figures.count(totals.unchanged()) + " unchanged");
        }
        part(parts, totals.sources(), "source");
        part(parts, totals.requisites(), "requisite");
        part(parts, totals.repeats(), "repeat");
        part(parts, totals.redirects(), "redirect");
        part(parts, totals.httpErrors(), "HTTP error");
        part(parts, totals.failures(), "failure");
        if (totals.refused() > 0) {
            parts.add(Figures.count(totals.refused()) + " refused");
        }
        part(parts, totals.duplicates(), "duplicate");
        parts.add(Figures.count(totals.waiting()) + " waiting");
        long damaged = totals.entriesNotTaken();
        return Figures.count(totals.emitted()) + " emitted = " + String.join(" + ", parts) + (damaged == 0
                ? ""
                : "; " + Figures.count(damaged)
                        + (damaged == 1 ? " entry of a sitemap is damaged" : " entries of sitemaps are damaged"));
    }

    /** The conservation law of items: every item that was written is stored, dropped or rejected, or waits. */
    static String balance(ItemTotals items) {
        List<String> parts = new ArrayList<>(List.of(Figures.count(items.stored()) + " stored"));
        if (items.dropped() > 0) {
            parts.add(Figures.count(items.dropped()) + " dropped");
        }
        if (items.rejected() > 0) {
            parts.add(Figures.count(items.rejected()) + " rejected");
        }
        parts.add(Figures.count(items.waiting()) + " waiting");
        return Figures.count(items.written(), "item") + " = " + String.join(" + ", parts)
                + (items.fieldErrors().isEmpty()
                        ? ""
                        : "; " + Figures.count(Figures.sum(items.fieldErrors()), "field") + " left empty");
    }

    /** Where items are stored, if the crawl says so, and those that are not stored, if there are any. */
    private static List<Row> items(CrawlSummary crawl) {
        ItemTotals items = crawl.totals().items();
        return Stream
                .of(Map.entry("in sinks", items.sinks()), Map.entry("chunks", items.chunks()),
                        Map.entry("skipped", items.skipped()), Map.entry("left empty", items.fieldErrors()),
                        Map.entry("dropped", crawl.droppedItems()), Map.entry("rejected", crawl.rejectedItems()))
                .filter(e -> !e.getValue().isEmpty()).map(e -> new Row(e.getKey(),
                        Figures.count(Figures.sum(e.getValue())), Figures.largestFirst(e.getValue())))
                .toList();
    }

    private static void part(List<String> parts, long count, String name) {
        if (count > 0) {
            parts.add(Figures.count(count, name));
        }
    }

    /** Speeds over one minute and over five. */
    static List<Row> rates(Rates rates) {
        return List.of(rate("pages/s", rates.pages1m(), rates.pages5m()),
                rate("errors/s", rates.errors1m(), rates.errors5m()), rate("bytes/s", rates.bytes1m(), rates.bytes5m()),
                rate("requests/s", rates.requests1m(), rates.requests5m()));
    }

    private static Row rate(String label, double minute, double five) {
        return new Row(label, Figures.perSecond(minute), "over 1 minute; over 5 minutes " + Figures.perSecond(five));
    }

    /** All crawls as a table; a message if there are none. */
    public static List<String> table(List<CrawlSummary> crawls, Screen screen) {
        Table table = new Table(Column.text("CRAWL"), Column.words("STATE"), Column.numbers("DONE"),
                Column.numbers("OF KNOWN"), Column.numbers(""), Column.numbers("PAGES"), Column.numbers("ERRORS"),
                Column.numbers("PAGES/S"), Column.numbers("REMAINING"));
        crawls.forEach(crawl -> row(table, crawl));
        return table.empty() ? List.of("no crawls; trawl submit defines one") : table.lines(screen);
    }

    private static void row(Table table, CrawlSummary crawl) {
        Totals totals = crawl.totals();
        boolean started = crawl.state() == CrawlState.STARTED;
        Cell state = state(crawl);
        Cell shown = crawl.counting().isPresent() ? Cell.of(state.text() + ", counting", Style.WARNING) : state;
        table.row(Cell.of(crawl.run().toString()), shown, Cell.of(Figures.count(totals.answered())),
                Cell.of(Figures.count(totals.emitted())),
                Cell.of(totals.emitted() == 0 ? "" : totals.answered() * 100 / totals.emitted() + " %"),
                Cell.of(Figures.count(totals.pages())),
                Cell.of(Figures.count(crawl.errors()), crawl.errors() == 0 ? Style.PLAIN : Style.WARNING),
                Cell.of(started ? Figures.perSecond(crawl.rates().pages1m()) : ""),
                Cell.of(started ? remaining(crawl).map(Figures::time).orElse(Figures.UNKNOWN) : ""));
    }
}
