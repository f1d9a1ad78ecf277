package io.trawl.api;

import java.util.List;
import java.util.Map;

/**
 * Items of one crawl and one partition, for one sink.
 *
 * @param crawl the name of the crawl
 * @param sink the name of the sink in the crawl
 * @param settings of the sink in the definition of the crawl; also {@code fields}, a list, if the crawl names those
 * that the sink stores
 * @param partition of the items, from 0
 * @param items in the order of the partition
 */
public record SinkBatch(String crawl, String sink, Map<String, Object> settings, int partition,
        List<PlacedItem> items) {
    /** Copies the items. */
    public SinkBatch {
        settings = Map.copyOf(settings);
        items = List.copyOf(items);
    }

    /**
     * An item and its place.
     *
     * @param position grows from item to item of a partition, and is the same each time that the item is given; the
     * chunks of an item, which a crawl may have stored instead, all have its position and are in one batch
     * @param item with the fields that the sink stores
     */
    public record PlacedItem(long position, Item item) {}
}
