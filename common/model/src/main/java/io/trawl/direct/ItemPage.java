package io.trawl.direct;

import java.util.List;
import java.util.Optional;

/**
 * The first line of the answer of a pipeline to {@code GET /items?run=docs/1}: what the lines after it are. Each of
 * those is one stored item, as in its file. Every pipeline can answer, since all of them share one folder. The call
 * changes nothing.
 *
 * @param places of the items, in the order of the lines
 * @param next the cursor that continues in the same order; empty after the oldest item. In the order {@code oldest} it
 * is always there, since items may follow
 * @param newest the cursor with which the order {@code oldest} begins after the newest item of now; only in the order
 * {@code newest}
 * @param complete whether no item follows now; if not, a limit of items, bytes or time ended the page
 * @param scanned the number of lines that were read, those that do not match included
 */
public record ItemPage(List<String> places, Optional<String> next, Optional<String> newest, boolean complete,
        long scanned) {
    /** Where it is asked. */
    public static final String PATH = "/items";
    /** The media type of the answer. */
    public static final String TYPE = "application/x-ndjson";

    /** Copies; what is absent is empty. */
    @SuppressWarnings("ConstantValue")
    public ItemPage {
        places = places == null ? List.of() : List.copyOf(places);
    }
}
