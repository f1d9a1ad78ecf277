package io.trawl.coordinator.summary;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * How the requests of a run were answered. Each answered id counts once, so that at any moment, and not only at the end,
 * {@code emitted = pages + repeats + redirects + httpErrors + failures + refused + duplicates + waiting}.
 *
 * @param emitted requests that were written
 * @param pages PAGE answers that were stored
 * @param repeats answers with an outcome of their own that were not the first of their URL, and so are not in the output
 * @param redirects REDIRECT answers that were the first of their URL
 * @param httpErrors HTTP_ERROR answers that were the first of their URL
 * @param failures FAILURE answers that were the first of their URL
 * @param refused REFUSED answers that were the first of their URL
 * @param duplicates DUPLICATE answers
 * @param waiting requests that are not answered yet, whether they stand in the log, in a downloader's index, on the wire or before an analyzer: a fetch
 *        leaves no record, so only the modules themselves know, each at a moment of its own, how many they have in hand
 * @param bytes of the bodies that were handled
 */
public record Totals(long emitted, long pages, long repeats, long redirects, long httpErrors, long failures, long refused,
        long duplicates,
        long waiting, long bytes) {
    /** Nothing has happened. */
    public static final Totals NONE = new Totals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** Both together. */
    public Totals plus(Totals o) {
        return new Totals(emitted + o.emitted, pages + o.pages, repeats + o.repeats, redirects + o.redirects,
                httpErrors + o.httpErrors, failures + o.failures, refused + o.refused, duplicates + o.duplicates,
                waiting + o.waiting, bytes + o.bytes);
    }

    /** Requests that are answered, whatever the answer. */
    @JsonIgnore
    public long answered() {
        return emitted - waiting;
    }

    /** Stored errors of both kinds. */
    @JsonIgnore
    public long errors() {
        return httpErrors + failures;
    }
}
