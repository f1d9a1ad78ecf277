package io.trawl.coordinator.text;

import io.trawl.api.Item;
import io.trawl.coordinator.probe.Preview;
import io.trawl.coordinator.text.Table.Cell;
import io.trawl.coordinator.text.Table.Column;
import io.trawl.direct.AnalyzeAnswer.LinkVerdict;
import io.trawl.model.Durations;
import io.trawl.model.MID;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A preview: the response, the links with their verdicts, the items and the errors. All of it comes from the web and is
 * untrusted. Pure functions.
 */
public final class PreviewText {
    private PreviewText() {}

    /** The lines. */
    public static List<String> of(Preview preview, Screen screen) {
        List<String> lines = new ArrayList<>();
        lines.add(screen.paint(Style.BOLD, TerminalText.safe(preview.url())));
        lines.addAll(response(preview, screen));
        links(lines, preview.links(), screen);
        int number = 0;
        for (Item item : preview.items()) {
            heading(lines, "item " + ++number, screen);
            lines.addAll(TreeText.of(item, screen));
        }
        if (!preview.errors().isEmpty()) {
            heading(lines, "errors", screen);
            preview.errors().forEach(error -> lines.add("  " + TerminalText.safe(error)));
        }
        return lines;
    }

    private static List<String> response(Preview preview, Screen screen) {
        Preview.PreviewAnswer response = preview.response();
        Table table = new Table(Column.words(""), Column.text(""));
        row(table, "outcome", Optional.of(response.outcome().name()), Style.PLAIN);
        row(table, "status", response.status().map(Object::toString), Style.PLAIN);
        row(table, "content type", response.contentType(), Style.PLAIN);
        row(table, "bytes", Optional.of(Figures.bytes(response.bytes())), Style.PLAIN);
        row(table, "took", Optional.of(Durations.format(response.took())), Style.PLAIN);
        row(table, "redirect", response.redirect(), Style.PLAIN);
        row(table, "truncated", Optional.of(Boolean.toString(response.truncated())), Style.PLAIN);
        row(table, "failure", response.failure(), Style.BAD);
        row(table, "downloader", Optional.of(preview.downloader() + " (" + preview.gate() + ")"), Style.DIM);
        row(table, "analyzer", preview.analyzer().map(MID::toString), Style.DIM);
        return table.lines(screen);
    }

    private static void row(Table table, String label, Optional<String> value, Style style) {
        value.ifPresent(text -> table.row(Cell.of("  " + label), Cell.of(text, style)));
    }

    private static void links(List<String> lines, List<LinkVerdict> links, Screen screen) {
        long admitted = links.stream().filter(link -> link.verdict().equals(LinkVerdict.ADMITTED)).count();
        heading(lines, "links: " + Figures.count(links.size()) + ", of which " + Figures.count(admitted) + " would be followed",
                screen);
        Table table = new Table(Column.words(""), Column.text(""), Column.words(""));
        links.forEach(link -> table.row(
                Cell.of("  " + link.verdict(), link.verdict().equals(LinkVerdict.ADMITTED) ? Style.GOOD : Style.WARNING),
                Cell.of(link.url()), Cell.of(link.nofollow() ? "nofollow" : "", Style.DIM)));
        lines.addAll(table.lines(screen));
    }

    private static void heading(List<String> lines, String text, Screen screen) {
        lines.add("");
        lines.add(screen.paint(Style.BOLD, text));
    }
}
