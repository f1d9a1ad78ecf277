package io.trawl.coordinator.text;

import io.trawl.coordinator.summary.FleetSummary;
import io.trawl.coordinator.summary.QueueSummary;
import io.trawl.coordinator.summary.StopSignSummary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The fleet at a glance, and in full (S15). Used by one thread. */
public final class FleetText {
    private final FleetSummary fleet;
    private final Screen screen;
    private final List<String> lines = new ArrayList<>();

    private FleetText(FleetSummary fleet, Screen screen) {
        this.fleet = fleet;
        this.screen = screen;
    }

    /**
     * The overview: crawls, queue, modules by kind, stop signs.
     *
     * @param signs all stop signs; empty if unknown
     */
    public static List<String> atAGlance(FleetSummary fleet, Optional<List<StopSignSummary>> signs, Screen screen) {
        FleetText text = new FleetText(fleet, screen);
        text.headline();
        text.section(CrawlText.table(fleet.crawls(), screen));
        text.more();
        text.lines.add("");
        text.lines.add(text.queue());
        text.lines.addAll(ModulesText.inShort(fleet.modules(), fleet.missing(), screen));
        fleet.advice().ifPresent(advice -> text.lines.add("advice: " + advice.text()));
        signs.ifPresent(text::signs);
        return text.lines;
    }

    /** The full summary of the fleet. */
    public static List<String> inFull(FleetSummary fleet, Instant now, Screen screen) {
        FleetText text = new FleetText(fleet, screen);
        text.headline();
        text.lines.add(CrawlText.balance(fleet.totals()));
        text.lines.addAll(CrawlText.lines(text.sums(), screen));
        fleet.channels().ifPresent(channels -> text.lines.add("channels: generation " + channels.generation() + ", "
                + channels.levels() + " priorities, " + channels.partitions() + " partitions each, politeness by "
                + channels.politeness().word() + "; " + channels.responses() + " partitions of responses, "
                + written(channels.items(), channels.readItems()) + " of items, "
                + written(channels.ledger(), channels.readLedger()) + " of the ledger"));
        fleet.advice().ifPresent(advice -> text.lines.add("advice: " + advice.text()));
        fleet.serials()
                .forEach((kind,
                        serial) -> text.lines.add("serial numbers of " + kind.word() + "s: next "
                                + Figures.count(serial.next()) + " of " + Figures.count(serial.start()) + " to "
                                + Figures.count(serial.largest()) + ", " + Figures.count(serial.cycles(), "cycle")));
        text.section(QueueText.of(fleet.queue(), screen));
        text.section(ModulesText.of(fleet.modules(), fleet.missing(), now, screen));
        fleet.crawls().forEach(crawl -> text.section(CrawlText.inFull(crawl, screen)));
        text.more();
        return text.lines;
    }

    private void more() {
        int left = fleet.counts().all() - fleet.crawls().size();
        if (left > 0 && !fleet.crawls().isEmpty()) {
            lines.add("and " + Figures.count(left, "more crawl") + ": trawl crawls lists all");
        }
    }

    private void section(List<String> more) {
        lines.add("");
        lines.addAll(more);
    }

    private List<CrawlText.Row> sums() {
        List<CrawlText.Row> rows = new ArrayList<>(CrawlText.pages(fleet.totals()));
        rows.addAll(CrawlText.rates(fleet.rates()));
        return rows;
    }

    private void headline() {
        int crawls = fleet.counts().all();
        String counts = fleet.counts().conditions().entrySet().stream().sorted(Map.Entry.comparingByKey())
                .map(e -> e.getValue() + " " + e.getKey()).collect(Collectors.joining(", "));
        String leader = fleet.leader().map(mid -> mid + " leads")
                .orElse(screen.paint(Style.BAD,
                        fleet.coordinators()
                                ? "no coordinator leads"
                                : "no coordinator is registered, so the leader is not known"));
        lines.add(screen.paint(Style.BOLD, Figures.count(crawls, "crawl")) + (crawls == 0 ? "" : " (" + counts + ")")
                + ", " + CrawlText.pagesInBrief(fleet.totals())
                + (fleet.counting().isPresent() ? " counted so far" : "") + ", "
                + Figures.perSecond(fleet.rates().pages1m()) + " pages/s" + (fleet.idle() ? ", idle" : "") + "; "
                + leader);
        fleet.counting().ifPresent(counting -> lines.add(screen.paint(Style.WARNING, Figures.incomplete(counting))));
        fleet.notes().forEach(note -> lines.add(screen.paint(Style.WARNING, note)));
    }

    private String queue() {
        QueueSummary queue = fleet.queue();
        String levels = queue.levels().stream()
                .map(level -> "p" + level.priority() + " " + Figures.count(level.waiting()))
                .collect(Collectors.joining(", "));
        return "waiting: " + (levels.isEmpty() ? Figures.UNKNOWN : levels) + "; for analyzers "
                + Figures.count(queue.responses().backlog()) + ", for pipelines "
                + Figures.count(queue.items().backlog());
    }

    /**
     * The fleet's sign if it is set, and the signs of crawls for which some module has not drained yet: a stopped crawl
     * keeps its sign.
     */
    private void signs(List<StopSignSummary> signs) {
        List<String> set = signs.stream().filter(sign -> sign.signed() && (sign.crawl().isEmpty() || !sign.complete()))
                .map(sign -> StopSignText.line(sign, screen)).toList();
        lines.addAll(set.isEmpty() ? List.of("stop sign: none") : set);
    }

    /** A number of partitions, and how many are read, if these are more. */
    private static String written(int partitions, int read) {
        return partitions + (read > partitions ? " (" + read + " are read)" : "");
    }
}
