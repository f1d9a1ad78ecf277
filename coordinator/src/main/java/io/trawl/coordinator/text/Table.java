package io.trawl.coordinator.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Rows in columns, each as wide as its widest cell. If the screen is too narrow, the flexible columns are truncated.
 * Not thread-safe.
 */
public final class Table {
    private static final String GAP = "  ";
    private static final int NARROWEST = 12;
    private final List<Column> columns;
    private final List<List<Cell>> rows = new ArrayList<>();

    /**
     * A column.
     *
     * @param title above it; empty in tables without titles
     * @param right whether its cells are aligned to the right, as numbers are
     * @param flexible whether its cells are truncated if the table is too wide
     */
    public record Column(String title, boolean right, boolean flexible) {
        /** Words. */
        public static Column words(String title) {
            return new Column(title, false, false);
        }

        /** Numbers, aligned to the right. */
        public static Column numbers(String title) {
            return new Column(title, true, false);
        }

        /** Long text, truncated if the table is too wide. */
        public static Column text(String title) {
            return new Column(title, false, true);
        }
    }

    /**
     * One field of a row.
     *
     * @param text on one line and safe to print
     */
    public record Cell(String text, Style style) {
        /** Makes the text safe, see {@link TerminalText#safe}. */
        public Cell {
            text = TerminalText.safe(text);
        }

        /** A cell in the default style. */
        public static Cell of(String text) {
            return new Cell(text, Style.PLAIN);
        }

        /** A cell in a style. */
        public static Cell of(String text, Style style) {
            return new Cell(text, style);
        }
    }

    /** An empty table. */
    public Table(Column... columns) {
        this.columns = List.of(columns);
    }

    /** Adds a row; trailing cells may be left out. */
    public Table row(Cell... cells) {
        if (cells.length > columns.size()) {
            throw new IllegalArgumentException(cells.length + " cells for " + columns.size() + " columns");
        }
        rows.add(List.of(cells));
        return this;
    }

    /** Adds a row of plain cells. */
    public Table row(String... cells) {
        return row(Arrays.stream(cells).map(Cell::of).toArray(Cell[]::new));
    }

    /** Whether there are no rows. */
    public boolean empty() {
        return rows.isEmpty();
    }

    /** The lines, without trailing spaces; the first one has the titles, if there are any. */
    public List<String> lines(Screen screen) {
        int[] widths = widths(screen);
        List<String> lines = new ArrayList<>();
        if (columns.stream().anyMatch(column -> !column.title().isEmpty())) {
            lines.add(
                    line(columns.stream().map(column -> Cell.of(column.title(), Style.BOLD)).toList(), widths, screen));
        }
        rows.forEach(row -> lines.add(line(row, widths, screen)));
        return lines;
    }

    private int[] widths(Screen screen) {
        int[] widths = IntStream.range(0, columns.size()).map(this::natural).toArray();
        long excess = Arrays.stream(widths).asLongStream().sum() + (long) GAP.length() * (widths.length - 1)
                - screen.columns();
        while (excess > 0) {
            int widest = widestFlexible(widths);
            if (widest < 0) {
                break;
            }
            // Level with the second widest takes many steps of one column; tables are small.
            widths[widest]--;
            excess--;
        }
        return widths;
    }

    private int widestFlexible(int[] widths) {
        int widest = -1;
        for (int c = 0; c < widths.length; c++) {
            if (columns.get(c).flexible() && widths[c] > NARROWEST && (widest < 0 || widths[c] > widths[widest])) {
                widest = c;
            }
        }
        return widest;
    }

    private int natural(int column) {
        int cells = rows.stream().filter(row -> column < row.size())
                .mapToInt(row -> TerminalText.width(row.get(column).text())).max().orElse(0);
        return Math.max(cells, TerminalText.width(columns.get(column).title()));
    }

    private String line(List<Cell> cells, int[] widths, Screen screen) {
        StringBuilder line = new StringBuilder();
        int blanks = 0;
        for (int c = 0; c < cells.size(); c++) {
            String text = TerminalText.fitted(cells.get(c).text(), widths[c]);
            int pad = Math.max(0, widths[c] - TerminalText.width(text));
            boolean right = columns.get(c).right();
            blanks += (c == 0 ? 0 : GAP.length()) + (right ? pad : 0);
            if (!text.isEmpty()) {
                line.append(" ".repeat(blanks)).append(screen.paint(cells.get(c).style(), text));
                blanks = 0;
            }
            blanks += right ? 0 : pad;
        }
        return line.toString();
    }
}
