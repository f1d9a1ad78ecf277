package io.trawl.coordinator.summary;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.ledger.ItemCounts;
import java.util.Map;
import java.util.TreeMap;

/**
 * What became of the items of a run: pages and errors that are to be stored. At any moment
 * {@code written = stored + dropped + rejected + waiting}, and {@code waiting} is 0 when a crawl is finished.
 *
 * @param written items that analyzers wrote
 * @param stored items that are in the output for good: in every sink that takes them
 * @param dropped items that an item processor dropped, or that no sink takes
 * @param rejected items that could not be stored
 * @param waiting items that no pipeline has committed yet, whether in the topic or in an open file
 * @param fieldErrors values of the wrong type that were left out of items, by field of the definition
 * @param sinks the stored items by sink, if the crawl names sinks; an item counts for each sink that has it
 * @param skipped the items that sinks would have that are given up, by sink
 * @param chunks beside the items, by the sinks that have chunks of them instead
 */
public record ItemTotals(long written, long stored, long dropped, long rejected, long waiting,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Long> fieldErrors,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Long> sinks,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Long> skipped,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Long> chunks) {
    /** Absent maps are empty. */
    @SuppressWarnings("ConstantValue")
    public ItemTotals {
        fieldErrors = fieldErrors == null ? Map.of() : Map.copyOf(fieldErrors);
        sinks = sinks == null ? Map.of() : Map.copyOf(sinks);
        skipped = skipped == null ? Map.of() : Map.copyOf(skipped);
        chunks = chunks == null ? Map.of() : Map.copyOf(chunks);
    }

    /** Totals of a crawl that names no sinks. */
    public ItemTotals(long written, long stored, long dropped, long rejected, long waiting) {
        this(written, stored, dropped, rejected, waiting, Map.of(), Map.of(), Map.of(), Map.of());
    }

    static ItemTotals of(ItemCounts counts) {
        return new ItemTotals(counts.written(), counts.stored(), ItemCounts.total(counts.dropped()),
                ItemCounts.total(counts.rejected()), counts.written() - counts.settled(), counts.fields(),
                counts.sinks(), counts.skipped(), counts.chunks());
    }

    /** The sum of both. */
    public ItemTotals plus(ItemTotals o) {
        return new ItemTotals(written + o.written, stored + o.stored, dropped + o.dropped, rejected + o.rejected,
                waiting + o.waiting, sum(fieldErrors, o.fieldErrors), sum(sinks, o.sinks), sum(skipped, o.skipped),
                sum(chunks, o.chunks));
    }

    private static Map<String, Long> sum(Map<String, Long> one, Map<String, Long> other) {
        Map<String, Long> sum = new TreeMap<>(one);
        other.forEach((name, count) -> sum.merge(name, count, Long::sum));
        return sum;
    }

    /** Items that a pipeline has handled for good. */
    @JsonIgnore
    public long settled() {
        return written - waiting;
    }
}
