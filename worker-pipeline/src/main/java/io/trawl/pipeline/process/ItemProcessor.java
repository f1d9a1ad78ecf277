package io.trawl.pipeline.process;

import io.trawl.model.Item;
import io.trawl.plugin.Plugins;

/**
 * One step between the analyzer and the files: changes an item, drops it, or lets it pass (S12). Implementations have a public constructor without
 * arguments and come in a jar among the {@link Plugins} that names them in {@code META-INF/services/io.trawl.pipeline.process.ItemProcessor}.
 *
 * <p>An item may be processed more than once (when a pipeline died before it was stored), so an effect on the outside must be repeatable: upsert by
 * {@link Item#id()}. One process calls its processors from one thread.
 */
public interface ItemProcessor {
    /** What the processor is called in errors and summaries. */
    String name();

    /** Its place in the chain: the smallest comes first; equal ones in the order of their names. */
    default int order() {
        return 0;
    }

    /**
     * Processes one item.
     *
     * @return {@link ProcessedItem#keep} with the same item or a changed one (id, run and kind must stay), or {@link ProcessedItem#drop}
     * @throws Exception if it fails on this item; what becomes of the item is decided by {@code failFast} of the crawl
     */
    ProcessedItem process(Item item) throws Exception;
}
