package io.trawl.standalone.print;

/**
 * A column of a table.
 *
 * @param title above it; empty in tables without titles
 * @param right whether its cells stand at the right, as numbers do
 * @param flexible whether its cells are cut when the table is too wide
 */
public record Column(String title, boolean right, boolean flexible) {
    /** Words. */
    public static Column words(String title) {
        return new Column(title, false, false);
    }

    /** Numbers, units below units. */
    public static Column numbers(String title) {
        return new Column(title, true, false);
    }

    /** Words that may be long, and are cut where there is no room. */
    public static Column text(String title) {
        return new Column(title, false, true);
    }
}
