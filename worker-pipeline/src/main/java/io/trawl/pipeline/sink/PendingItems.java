package io.trawl.pipeline.sink;

import io.trawl.api.Item;
import io.trawl.api.SinkBatch.PlacedItem;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.pipeline.sink.SinkOffsets.TopicRecord;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What waits of one crawl. */
final class PendingItems {
    final long first;
    boolean large;
    final Map<String, PendingBatch> batches = new TreeMap<>();
    final Map<String, TopicBatch> topics = new TreeMap<>();
    final Map<String, ItemAccount> accounts = new LinkedHashMap<>();
    final Set<Long> notTold = new HashSet<>();

    record PendingBatch(SinkDefinition sink, List<PlacedItem> items) {}

    record TopicBatch(String crawl, SinkDefinition sink, List<TopicRecord> records) {}

    PendingItems(long first) {
        this.first = first;
    }

    /** The sink has refused some items of a batch, by their positions. */
    void refuse(PendingBatch batch, Map<Long, String> reasons, RetriedSinks sinks) {
        Map<Long, List<Item>> placed = batch.items().stream().filter(item -> !notTold.contains(item.position()))
                .collect(Collectors.groupingBy(PlacedItem::position, TreeMap::new,
                        Collectors.mapping(PlacedItem::item, Collectors.toList())));
        placed.forEach((position, given) -> Optional.ofNullable(reasons.get(position))
                .ifPresent(cause -> accounts.computeIfPresent(given.getFirst().run(),
                        (run, told) -> sinks.refused(told, batch.sink().named(), given, cause))));
    }
}
