package io.trawl.api;

/**
 * One step between the analyzer and the files: changes an item, drops it, or passes it on unchanged. The jar of a
 * processor names its class in {@code META-INF/services/io.trawl.api.ItemProcessor}; the class has a public constructor
 * without arguments. One process calls its processors from one thread.
 *
 * <p>
 * An item is processed again if a pipeline dies before it has stored the item. So an effect on another system must be
 * idempotent: upsert by {@link Item#id()}.
 */
public interface ItemProcessor {
    /** {@return the name of the processor in errors and summaries} */
    String name();

    /** {@return the place in the chain: the smallest comes first; equal ones run in the order of their names} */
    default int order() {
        return 0;
    }

    /**
     * Processes one item.
     *
     * @param item a page or an error, see {@link Item#kind()}
     * @return {@link ProcessedItem#keep} with the same item or a changed one (id, run and kind must stay), or
     * {@link ProcessedItem#drop}
     * @throws Exception if it fails on this item; {@code failFast} of the crawl decides whether the item is stored
     * without this step or not at all
     */
    ProcessedItem process(Item item) throws Exception;
}
