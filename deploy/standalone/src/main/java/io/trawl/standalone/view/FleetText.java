package io.trawl.standalone.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.standalone.print.Cell;
import io.trawl.standalone.print.Screen;
import io.trawl.standalone.print.Style;
import io.trawl.standalone.report.Figures;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The fleet at a glance, and in full (S15). Pure. */
final class FleetText {
    private final JsonNode summary;
    private final Screen screen;
    private final List<String> lines = new ArrayList<>();

    private FleetText(JsonNode summary, Screen screen) {
        this.summary = summary;
        this.screen = screen;
    }

    /**
     * What fits on a screen: crawls, queue, modules by kind, stop signs.
     *
     * @param signs the stop signs that stand; empty if they are not known
     */
    static List<String> atAGlance(JsonNode summary, Optional<JsonNode> signs, Screen screen) {
        FleetText text = new FleetText(summary, screen);
        text.headline();
        text.section(CrawlsText.of(summary.path("crawls"), screen));
        text.lines.add("");
        text.lines.add(text.queue());
        text.lines.addAll(ModulesText.inShort(summary.path("modules"), screen));
        signs.ifPresent(text::signs);
        return text.lines;
    }

    /** Everything that the coordinator says of the fleet. */
    static List<String> inFull(JsonNode summary, Instant now, Screen screen) {
        FleetText text = new FleetText(summary, screen);
        text.headline();
        JsonNode channels = summary.path("channels");
        if (channels.isObject()) {
            text.lines
                    .add("channels: generation " + Fields.count(channels, "generation") + ", " + Fields.count(channels, "levels")
                            + " priorities, " + Fields.count(channels, "partitions") + " partitions each, politeness by "
                            + Cell.of(Fields.text(channels, "politeness").orElse(Fields.UNKNOWN)).text());
        }
        text.section(QueueText.of(summary.path("queue"), screen));
        text.section(ModulesText.of(summary.path("modules"), now, screen));
        summary.path("crawls").forEach(crawl -> text.section(CrawlText.of(new CrawlView(crawl), screen)));
        return text.lines;
    }

    private void section(List<String> more) {
        lines.add("");
        lines.addAll(more);
    }

    private void headline() {
        Map<String, Integer> states = new TreeMap<>();
        for (JsonNode json : summary.path("crawls")) {
            states.merge(new CrawlView(json).state(), 1, Integer::sum);
        }
        int crawls = summary.path("crawls").size();
        List<String> counts = new ArrayList<>();
        states.forEach((state, count) -> counts.add(count + " " + state));
        String leader = Fields.text(summary, "leader").map(mid -> Cell.of(mid).text() + " leads")
                .orElse(screen.paint(Style.BAD, "no coordinator leads"));
        lines.add(screen.paint(Style.BOLD, Figures.count(crawls) + (crawls == 1 ? " crawl" : " crawls"))
                + (crawls == 0 ? "" : " (" + String.join(", ", counts) + ")") + ", "
                + Fields.count(summary.path("totals"), "pages") + " pages" + rate() + "; " + leader);
    }

    private String rate() {
        JsonNode rates = summary.path("rates");
        return rates.has("pages1m") ? ", " + Fields.rate(rates, "pages1m") + " pages/s" : "";
    }

    private String queue() {
        JsonNode queue = summary.path("queue");
        List<String> parts = new ArrayList<>();
        queue.path("levels")
                .forEach(level -> parts.add("p" + level.path("priority").asInt() + " " + Fields.count(level, "waiting")));
        return "waiting: " + (parts.isEmpty() ? Fields.UNKNOWN : String.join(", ", parts)) + "; for analyzers "
                + Fields.count(queue.path("responses"), "backlog") + ", for pipelines "
                + Fields.count(queue.path("items"), "backlog");
    }

    /** The fleet's sign if it stands, and those of crawls that somebody has not dealt with yet: a crawl that is stopped keeps its own. */
    private void signs(JsonNode signs) {
        List<String> standing = new ArrayList<>();
        signs.forEach(sign -> {
            if (sign.path("signed").asBoolean() && !(sign.hasNonNull("crawl") && sign.path("complete").asBoolean())) {
                standing.add(SignText.line(sign, screen));
            }
        });
        lines.addAll(standing.isEmpty() ? List.of("stop sign: none") : standing);
    }
}
