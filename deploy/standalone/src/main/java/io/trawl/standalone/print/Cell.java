package io.trawl.standalone.print;

/**
 * What stands in a row of a table.
 *
 * @param text on one line and safe to print
 */
public record Cell(String text, Style style) {
    /** Makes it safe. */
    public Cell {
        text = Words.safe(text);
    }

    /** In the usual style. */
    public static Cell of(String text) {
        return new Cell(text, Style.PLAIN);
    }

    /** In that style. */
    public static Cell of(String text, Style style) {
        return new Cell(text, style);
    }
}
