package io.trawl.coordinator.text;

import io.trawl.api.Item;
import io.trawl.api.render.Rendering;
import io.trawl.coordinator.probe.Preview;
import io.trawl.coordinator.text.Table.Cell;
import io.trawl.coordinator.text.Table.Column;
import io.trawl.direct.AnalyzeAnswer.LinkVerdict;
import io.trawl.model.Durations;
import io.trawl.model.MID;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A preview: the response, the links with their verdicts, the items and the errors. All of it comes from the web and is
 * untrusted. Pure functions.
 */
public final class PreviewText {
    /** A blank line, a heading, the first entry, and how many more there are. */
    private static final int LEAST = 4;

    private PreviewText() {}

    /** The lines. */
    public static List<String> of(Preview preview, Screen screen) {
        return sections(preview, screen).stream().flatMap(List::stream).toList();
    }

    /** The same in about as many lines as a window has: of each long section the first lines. */
    public static List<String> inBrief(Preview preview, Screen screen, int rows) {
        List<List<String>> sections = sections(preview, screen);
        int share = IntStream.range(LEAST, rows)
                .filter(most -> sections.stream().mapToInt(section -> Math.min(most, section.size())).sum() <= rows)
                .max().orElse(LEAST);
        return sections.stream().flatMap(section -> section.size() <= share
                ? section.stream()
                : Stream.concat(section.stream().limit(share - 1L),
                        Stream.of(screen.paint(Style.DIM,
                                "  … " + Figures.count(section.size() - share + 1L, "more line") + ", see --full"))))
                .toList();
    }

    private static List<List<String>> sections(Preview preview, Screen screen) {
        List<String> dropped = new ArrayList<>();
        if (!preview.dropped().isEmpty()) {
            heading(dropped, "dropped items", screen);
            preview.dropped().forEach(why -> dropped.add("  " + TerminalText.safe(why)));
        }
        return List.of(head(preview, screen), links(preview.links(), screen), items(preview.items(), screen), dropped,
                errors(preview.errors(), screen));
    }

    private static List<String> head(Preview preview, Screen screen) {
        List<String> lines = new ArrayList<>();
        lines.add(screen.paint(Style.BOLD, TerminalText.safe(preview.url())));
        Table table = response(preview.response());
        row(table, "downloader",
                preview.downloader().map(mid -> mid + preview.gate().map(gate -> " (" + gate + ")").orElse("")),
                Style.DIM);
        row(table, "analyzer", preview.analyzer().map(MID::toString), Style.DIM);
        lines.addAll(table.lines(screen));
        preview.response().render().ifPresent(page -> lines.addAll(refused(page, screen)));
        return lines;
    }

    /** What would be stored. */
    public static List<String> items(List<Item> items, Screen screen) {
        List<String> lines = new ArrayList<>();
        int number = 0;
        for (Item item : items) {
            heading(lines, "item " + ++number, screen);
            lines.addAll(TreeText.of(item, screen));
        }
        return lines;
    }

    private static List<String> errors(List<String> errors, Screen screen) {
        List<String> lines = new ArrayList<>();
        if (!errors.isEmpty()) {
            heading(lines, "errors", screen);
            errors.forEach(error -> lines.add("  " + TerminalText.safe(error)));
        }
        return lines;
    }

    private static Table response(Preview.PreviewAnswer response) {
        Table table = new Table(Column.words(""), Column.text(""));
        row(table, "outcome", Optional.of(response.outcome().name()), Style.PLAIN);
        row(table, "status", response.status().map(Object::toString), Style.PLAIN);
        row(table, "content type", response.contentType(), Style.PLAIN);
        row(table, "bytes", Optional.of(Figures.bytes(response.bytes())), Style.PLAIN);
        row(table, "took", Optional.of(Durations.format(response.took())), Style.PLAIN);
        row(table, "redirect", response.redirect(), Style.PLAIN);
        row(table, "truncated", Optional.of(Boolean.toString(response.truncated())), Style.PLAIN);
        response.render().ifPresent(page -> row(table, "rendered", Optional.of(RenderText.of(page)),
                page.partial() ? Style.WARNING : Style.PLAIN));
        row(table, "failure", response.failure(), Style.BAD);
        return table;
    }

    /** What the page asked for in vain. */
    private static List<String> refused(Rendering page, Screen screen) {
        List<String> lines = new ArrayList<>();
        if (page.refusals() > 0) {
            heading(lines, "requests of the page that were refused: " + Figures.count(page.refusals()), screen);
            Table table = new Table(Column.words(""), Column.text(""));
            page.refused().forEach(
                    request -> table.row(Cell.of("  " + request.reason(), Style.WARNING), Cell.of(request.url())));
            lines.addAll(table.lines(screen));
        }
        return lines;
    }

    private static void row(Table table, String label, Optional<String> value, Style style) {
        value.ifPresent(text -> table.row(Cell.of("  " + label), Cell.of(text, style)));
    }

    /** The links, each with its verdict, and with what refuses it. */
    public static List<String> links(List<LinkVerdict> links, Screen screen) {
        List<String> lines = new ArrayList<>();
        long admitted = links.stream().filter(link -> link.verdict().equals(LinkVerdict.ADMITTED)).count();
        heading(lines, "links: " + Figures.count(links.size()) + ", of which " + Figures.count(admitted)
                + " would be followed", screen);
        Table table = new Table(Column.words(""), Column.text(""), Column.text(""));
        links.forEach(link -> table.row(
                Cell.of("  " + link.verdict(),
                        link.verdict().equals(LinkVerdict.ADMITTED) ? Style.GOOD : Style.WARNING),
                Cell.of(link.url()), Cell.of(note(link), Style.DIM)));
        lines.addAll(table.lines(screen));
        return lines;
    }

    private static String note(LinkVerdict link) {
        return Stream
                .of(link.cause(), Optional.of("nofollow").filter(_ -> link.nofollow()),
                        link.priorityRule().map(rule -> "priority by " + rule))
                .flatMap(Optional::stream).collect(Collectors.joining(", "));
    }

    private static void heading(List<String> lines, String text, Screen screen) {
        lines.add("");
        lines.add(screen.paint(Style.BOLD, text));
    }
}
