package io.trawl.pipeline.process;

import io.trawl.model.Item;

/** What a processor made of an item. */
public sealed interface ProcessedItem {
    /** The item goes on, perhaps changed. */
    record Kept(Item item) implements ProcessedItem {}

    /** The item is not to be stored, on purpose: no error. */
    record Dropped(String reason) implements ProcessedItem {}

    /** The item goes on. */
    static ProcessedItem keep(Item item) {
        return new Kept(item);
    }

    /** The item ends here, on purpose. */
    static ProcessedItem drop(String reason) {
        return new Dropped(reason);
    }
}
