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

/** One crawl: where its requests have gone, its errors and refusals by kind, its speed and what is left. Pure. */
final class CrawlText {
    private static final List<String> ANSWERS = List.of("pages", "repeats", "redirects", "httpErrors", "failures", "refused",
            "duplicates",
            "waiting");
    private final CrawlView crawl;
    private final Screen screen;
    private final Table table = new Table(Column.words(""), Column.numbers(""), Column.text(""));

    private CrawlText(CrawlView crawl, Screen screen) {
        this.crawl = crawl;
        this.screen = screen;
    }

    /** The lines. */
    static List<String> of(CrawlView crawl, Screen screen) {
        return new CrawlText(crawl, screen).lines();
    }

    private List<String> lines() {
        JsonNode json = crawl.json();
        Cell state = crawl.stateCell();
        List<String> lines = new ArrayList<>();
        lines.add(screen.paint(Style.BOLD, Cell.of(crawl.run()).text()) + ": " + screen.paint(state.style(), state.text())
                + times());
        lines.add(balance());
        row("pages", Figures.count(crawl.total("pages")), Figures.bytes(crawl.total("bytes")));
        row("errors", Figures.count(crawl.errors()), reasons(json.path("errorsByKind")));
        row("refusals", Figures.count(Fields.counts(json.path("refusals")).values().stream().mapToLong(Long::longValue).sum()),
                reasons(json.path("refusals")));
        row("waiting", Figures.count(crawl.total("waiting")), priorities(json.path("waitingByPriority")));
        rates(crawl.rates());
        row("domains", Figures.count(json.path("domains").size()),
                String.join(", ", json.path("domains").valueStream().map(JsonNode::asText).toList()));
        lines.addAll(table.lines(screen));
        json.path("straySeeds").forEach(seed -> lines.add(Cell.of(seed.path("url").asText() + " leads to "
                + seed.path("target").asText() + ", which is not in the accepted domains: trawl domains " + crawl.id() + " add "
                + seed.path("domain").asText()).text()));
        return lines;
    }

    private String times() {
        String since = Fields.duration(crawl.json(), "elapsed").filter(d -> !d.isZero()).map(d -> " after " + Figures.time(d))
                .orElse("");
        String left = crawl.remaining().filter(d -> crawl.started()).map(d -> ", about " + Figures.time(d) + " left").orElse("");
        return since + left + (crawl.json().path("idle").asBoolean() ? ", idle" : "");
    }

    /** The conservation law: every request that was emitted is answered in one way, or waits. */
    private String balance() {
        List<String> parts = new ArrayList<>();
        ANSWERS.forEach(name -> {
            if (crawl.total(name) > 0 || name.equals("pages") || name.equals("waiting")) {
                parts.add(Figures.count(crawl.total(name)) + " " + (name.equals("httpErrors") ? "HTTP errors" : name));
            }
        });
        return Figures.count(crawl.total("emitted")) + " emitted = " + String.join(" + ", parts);
    }

    private void row(String label, String value, String detail) {
        table.row(Cell.of("  " + label), Cell.of(value), Cell.of(detail));
    }

    private static String reasons(JsonNode counts) {
        Map<String, Long> byReason = Fields.counts(counts);
        return Figures.largestFirst(byReason);
    }

    private static String priorities(JsonNode counts) {
        List<String> parts = new ArrayList<>();
        Fields.counts(counts).forEach((priority, count) -> parts.add("p" + priority + " " + Figures.count(count)));
        return String.join(", ", parts.reversed());
    }

    private void rates(JsonNode rates) {
        if (rates.isObject()) {
            row("pages/s", Fields.rate(rates, "pages1m"), "over 1 minute; over 5 minutes " + Fields.rate(rates, "pages5m"));
            row("errors/s", Fields.rate(rates, "errors1m"), "over 1 minute; over 5 minutes " + Fields.rate(rates, "errors5m"));
            row("bytes/s", Fields.rate(rates, "bytes1m"), "over 1 minute; over 5 minutes " + Fields.rate(rates, "bytes5m"));
        }
    }
}
