package io.trawl.api;

/** The result of an {@link ItemProcessor}. */
public sealed interface ProcessedItem {
    /**
     * The item is passed to the next processor and finally to the output files.
     *
     * @param item the same or a changed one
     */
    record Kept(Item item) implements ProcessedItem {}

    /**
     * The processor filters the item out. This is not an error.
     *
     * @param reason a text for people
     */
    record Dropped(String reason) implements ProcessedItem {}

    /**
     * Passes the item on.
     *
     * @param item the same or a changed one
     * @return the result
     */
    static ProcessedItem keep(Item item) {
        return new Kept(item);
    }

    /**
     * Filters the item out.
     *
     * @param reason a text for people
     * @return the result
     */
    static ProcessedItem drop(String reason) {
        return new Dropped(reason);
    }
}
