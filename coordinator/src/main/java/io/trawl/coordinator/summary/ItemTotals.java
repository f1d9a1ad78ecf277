package io.trawl.coordinator.summary;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.trawl.ledger.ItemCounts;

/**
 * What became of the items of a run: pages and errors that are to be stored. At any moment {@code written = stored + dropped + rejected + waiting}, and
 * {@code waiting} is 0 when a crawl is finished.
 *
 * @param written items that analyzers wrote
 * @param stored items that are in the output for good
 * @param dropped items that an item processor dropped
 * @param rejected items that could not be stored
 * @param waiting items that no pipeline has committed yet, whether in the topic or in an open file
 */
public record ItemTotals(long written, long stored, long dropped, long rejected, long waiting) {
    static ItemTotals of(ItemCounts counts) {
        return new ItemTotals(counts.written(), counts.stored(), ItemCounts.total(counts.dropped()),
                ItemCounts.total(counts.rejected()), counts.written() - counts.settled());
    }

    /** The sum of both. */
    public ItemTotals plus(ItemTotals o) {
        return new ItemTotals(written + o.written, stored + o.stored, dropped + o.dropped, rejected + o.rejected,
                waiting + o.waiting);
    }

    /** Items that a pipeline has handled for good. */
    @JsonIgnore
    public long settled() {
        return written - waiting;
    }
}
