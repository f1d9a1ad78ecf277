package io.trawl.coordinator.summary;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.ledger.ItemCounts;
import io.trawl.ledger.RenderCounts;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The answers to the requests of a run. Each answered id counts once, so that at any moment {@code emitted = pages +
 * unchanged + sources + requisites + repeats + redirects + httpErrors + failures + refused + duplicates + waiting}.
 *
 * @param emitted requests that were emitted
 * @param pages PAGE answers that were stored
 * @param unchanged UNCHANGED answers that were the first of their URL, and PAGE answers without another content
 * @param notModified how many of them were answered 304
 * @param sources PAGE and HTTP_ERROR answers to requests for robots.txt, sitemaps and feeds that were stored: these
 * have no item
 * @param requisites PAGE and HTTP_ERROR answers to requests for requisites of pages that were stored: these have no
 * item
 * @param repeats answers that were not the first of their URL, and so are not in the output
 * @param redirects REDIRECT answers that were the first of their URL
 * @param httpErrors HTTP_ERROR answers that were the first of their URL
 * @param failures FAILURE answers that were the first of their URL
 * @param refused REFUSED answers that were the first of their URL
 * @param duplicates DUPLICATE answers
 * @param waiting requests without an answer, whether in the topic, in a downloader's index, in flight or before an
 * analyzer: a fetch leaves no record, so only the modules know how many requests each of them holds
 * @param waitingExempt how many of them no limit of the run is for: those for requisites, and for pages that are
 * visited again
 * @param bytes of the processed bodies
 * @param unavailable requests of all kinds that failed, or had an HTTP error that does not say that the page is gone:
 * not 404, not 410
 * @param entriesNotTaken entries of sitemaps and feeds that are damaged, so that their URLs are not known
 * @param render how pages were rendered; empty if none was
 * @param items what became of the items
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record Totals(long emitted, long pages, @JsonInclude(JsonInclude.Include.NON_DEFAULT) long unchanged,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long notModified, long sources, long requisites, long repeats,
        long redirects, long httpErrors, long failures, long refused, long duplicates, long waiting,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long waitingExempt, long bytes,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long unavailable,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long entriesNotTaken, Optional<RenderCounts> render,
        ItemTotals items) {
    /** The totals of an empty ledger. */
    public static final Totals NONE = new Totals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Optional.empty(),
            ItemTotals.of(ItemCounts.NONE));

    /** Absent items are none. */
    @SuppressWarnings("ConstantValue")
    public Totals {
        items = items == null ? ItemTotals.of(ItemCounts.NONE) : items;
    }

    /** The sum of both. */
    public Totals plus(Totals o) {
        return new Totals(emitted + o.emitted, pages + o.pages, unchanged + o.unchanged, notModified + o.notModified,
                sources + o.sources, requisites + o.requisites, repeats + o.repeats, redirects + o.redirects,
                httpErrors + o.httpErrors, failures + o.failures, refused + o.refused, duplicates + o.duplicates,
                waiting + o.waiting, waitingExempt + o.waitingExempt, bytes + o.bytes, unavailable + o.unavailable,
                entriesNotTaken + o.entriesNotTaken,
                Stream.concat(render.stream(), o.render.stream()).reduce(RenderCounts::plus), items.plus(o.items));
    }

    /** The same as if none of them waited. */
    @JsonIgnore
    public Totals withoutWaitingExempt() {
        return new Totals(emitted, pages, unchanged, notModified, sources, requisites, repeats, redirects, httpErrors,
                failures, refused, duplicates, waiting, 0, bytes, unavailable, entriesNotTaken, render, items);
    }

    /** Pages that are there, changed or not. */
    @JsonIgnore
    public long found() {
        return pages + unchanged;
    }

    /**
     * Whether a run that ends with them has failed: it found nothing; or less than half of what there was, while
     * requests failed, so that what they lead to may be there.
     *
     * @param last how many pages the last run had that has not failed; 0: there is none
     * @param given whether its seeds are not those of its definition: others lead to other pages, so most requests must
     * have failed
     */
    public boolean failed(long last, boolean given) {
        return found() == 0 || 2 * found() < last && unavailable > (given ? found() : 0);
    }

    /** Requests that are answered, with any outcome. */
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
