package io.trawl.pipeline.sink;

import io.trawl.ledger.ItemCounts;
import io.trawl.model.CrawlerError;
import java.util.List;
import java.util.stream.Stream;

/** What is told about an item when its offset is committed, once. @param errors for people */
public record ItemAccount(ItemCounts counts, List<CrawlerError> errors) {
    /** Copies the errors. */
    public ItemAccount {
        errors = List.copyOf(errors);
    }

    /** Adds what became of the item. */
    ItemAccount plus(ItemCounts more) {
        return new ItemAccount(counts.plus(more), errors);
    }

    /** The account of both. */
    ItemAccount plus(ItemAccount more) {
        return new ItemAccount(counts.plus(more.counts), Stream.concat(errors.stream(), more.errors.stream()).toList());
    }
}
