package io.trawl.extract.markdown;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jsoup.nodes.Element;

/**
 * Tables as GitHub writes them: a cell has one line, and each row as many cells as the first. A cell over several
 * columns or rows has empty ones beside it, and below it to the end of its group of rows. A table without a row of
 * headings has an empty one, since each table must have one.
 */
final class TableText {
    private static final Set<String> GROUPS = Set.of("thead", "tbody", "tfoot");
    /** No cell has them: what holds such blocks is no table of data, but a layout. */
    private static final Set<String> BLOCKS = Set.of("table", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "hr");
    /** Beyond these columns there are no cells beside and below others, nor behind the last one of a row. */
    private static final int MOST_COLUMNS = 100;
    private final Function<Element, String> cells;
    private final List<List<String>> rows = new ArrayList<>();
    /** For each column the number of further rows that a cell above reaches into. */
    private final int[] reaching = new int[MOST_COLUMNS];

    private TableText(Function<Element, String> cells) {
        this.cells = cells;
    }

    /** Whether rows and columns of text are all that it has: a single row is a frame of its text. */
    static boolean isTable(Element table) {
        List<Element> rows = rows(table).toList();
        return rows.size() > 1 && !table.attr("role").equals("presentation")
                && rows.stream().anyMatch(row -> row.childrenSize() > 1)
                && table.stream().skip(1).noneMatch(TableText::isBlock);
    }

    private static boolean isBlock(Element element) {
        return BLOCKS.contains(element.normalName())
                || element.normalName().equals("pre") && element.wholeText().strip().indexOf('\n') >= 0;
    }

    private static Stream<Element> rows(Element table) {
        return table.children().stream()
                .flatMap(child -> GROUPS.contains(child.normalName()) ? child.children().stream() : Stream.of(child))
                .filter(row -> row.normalName().equals("tr"));
    }

    /** The lines of the table; empty if no cell has a text. @param cells gives the Markdown of a cell */
    static String of(Element table, Predicate<Element> skips, Function<Element, String> cells) {
        List<Element> rows = rows(table).filter(row -> !skips.test(row)).toList();
        TableText text = new TableText(cells);
        rows.forEach(row -> text.add(row, skips));
        boolean headed = !rows.isEmpty() && isHead(rows.getFirst());
        return text.write(headed);
    }

    private static boolean isHead(Element row) {
        Element group = row.parent();
        return group != null && group.normalName().equals("thead")
                || row.children().stream().allMatch(cell -> cell.normalName().equals("th"));
    }

    private void add(Element row, Predicate<Element> skips) {
        if (row.previousElementSibling() == null) {
            Arrays.fill(reaching, 0); // a group of rows begins
        }
        List<String> line = new ArrayList<>();
        for (Element cell : row.children()) {
            if (!skips.test(cell)) {
                skipReached(line);
                int column = line.size();
                int columns = Math.min(span(cell, "colspan"), Math.max(1, MOST_COLUMNS - column));
                int below = span(cell, "rowspan") - 1;
                line.add(cells.apply(cell));
                for (int i = 1; i < columns; i++) {
                    line.add("");
                }
                for (int i = column; i < Math.min(column + columns, MOST_COLUMNS); i++) {
                    reaching[i] = below;
                }
            }
        }
        for (int i = line.size(); i < MOST_COLUMNS; i++) {
            reaching[i] = Math.max(0, reaching[i] - 1);
        }
        while (!line.isEmpty() && line.getLast().isEmpty()) {
            line.removeLast();
        }
        if (!line.isEmpty()) {
            rows.add(line);
        }
    }

    private void skipReached(List<String> line) {
        while (line.size() < MOST_COLUMNS && reaching[line.size()] > 0) {
            reaching[line.size()]--;
            line.add("");
        }
    }

    private static int span(Element cell, String attribute) {
        String span = cell.attr(attribute);
        return span.matches("[1-9][0-9]{0,3}") ? Integer.parseInt(span) : 1;
    }

    private String write(boolean headed) {
        int columns = rows.stream().mapToInt(List::size).max().orElse(0);
        if (columns == 0) {
            return "";
        }
        List<String> head = headed ? rows.removeFirst() : List.of();
        StringBuilder out = new StringBuilder(line(head, columns)).append("\n|").append("---|".repeat(columns));
        rows.forEach(row -> out.append('\n').append(line(row, Math.min(columns, MOST_COLUMNS))));
        return out.toString();
    }

    private static String line(List<String> row, int columns) {
        return Stream.concat(row.stream(), Stream.generate(() -> "").limit(Math.max(0, columns - row.size())))
                .collect(Collectors.joining(" | ", "| ", " |"));
    }
}
