package io.trawl.coordinator.summary;

/**
 * What was done in some stretch of time.
 *
 * @param emitted requests that were written
 * @param answered requests that were answered, whatever the answer
 * @param pages stored pages
 * @param errors stored HTTP errors and failures
 * @param bytes of the bodies that were handled
 */
public record Work(long emitted, long answered, long pages, long errors, long bytes) {
    /** Nothing was done. */
    public static final Work NONE = new Work(0, 0, 0, 0, 0);

    /** What has happened between two moments of a run. */
    static Work between(Totals before, Totals after) {
        return new Work(after.emitted() - before.emitted(), after.answered() - before.answered(), after.pages() - before.pages(),
                after.errors() - before.errors(), after.bytes() - before.bytes());
    }

    /** Both together. */
    public Work plus(Work other) {
        return new Work(emitted + other.emitted, answered + other.answered, pages + other.pages, errors + other.errors,
                bytes + other.bytes);
    }
}
