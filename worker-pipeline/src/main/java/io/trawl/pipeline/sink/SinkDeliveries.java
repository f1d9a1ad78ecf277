package io.trawl.pipeline.sink;

import io.trawl.api.Item;
import io.trawl.api.SinkBatch;
import io.trawl.api.SinkBatch.PlacedItem;
import io.trawl.channel.offset.StoredPosition;
import io.trawl.control.sink.SinkDefinition;
import io.trawl.pipeline.sink.FaultPoint.FaultStep;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The items of one partition for sinks with positions of their own. They wait here for a batch. Items are accounted for when all sinks of their crawl have
 * them: with the batch, or, if one of its sinks fails, when that has caught up. A sink that fails is <em>stuck</em> at its position until the partition is
 * taken over again; it is behind while its position is below the front. Confined to one thread.
 */
final class SinkDeliveries {
    private static final int MOST_ITEMS = 500;
    private final int partition;
    private final PluginSinks sinks;
    private final FaultPoint faults;
    private long front;
    private final Map<String, Long> behind;
    private final Set<String> stuck = new HashSet<>();
    private final Map<String, PendingItems> pending = new LinkedHashMap<>();
    private int items;

    /** What waits of one crawl. */
    private static final class PendingItems {
        private final long first;
        private final Map<String, PendingBatch> batches = new TreeMap<>();
        private final Map<String, ItemAccount> accounts = new LinkedHashMap<>();

        PendingItems(long first) {
            this.first = first;
        }
    }

    private record PendingBatch(SinkDefinition sink, List<PlacedItem> items) {}

    SinkDeliveries(int partition, StoredPosition position, PluginSinks sinks, FaultPoint faults) {
        this.partition = partition;
        this.sinks = sinks;
        this.faults = faults;
        this.front = position.front();
        this.behind = new TreeMap<>(position.behind());
    }

    /** Everything below is stored in all sinks but those that are behind. */
    long front() {
        return front;
    }

    /** Whether an item of a crawl is to be handled: below the front only a sink that catches up gets it. */
    boolean wants(String crawl, long offset) {
        return offset >= front || behind.entrySet().stream().anyMatch(
                sink -> StoredPosition.isOf(crawl, sink.getKey()) && !stuck.contains(sink.getKey()) && sink.getValue() <= offset);
    }

    /** Whether no sink catches up, so that nothing below the front is wanted. */
    boolean idle() {
        return stuck.containsAll(behind.keySet());
    }

    /** Whether items of a crawl are accounted for here, since some of them wait, or one of its sinks is behind. */
    boolean accountsFor(String crawl) {
        return pending.containsKey(crawl) || behind.keySet().stream().anyMatch(key -> StoredPosition.isOf(crawl, key));
    }

    /**
     * Adds an item that is wanted.
     *
     * @param others the sinks that take it
     * @param account what is told about it when they have it
     */
    void add(Item item, long offset, List<SinkDefinition> others, ItemAccount account) {
        String crawl = item.crawl();
        PendingItems waiting = pending.computeIfAbsent(crawl, _ -> new PendingItems(offset));
        for (SinkDefinition sink : others) {
            String key = StoredPosition.key(crawl, sink.named());
            if (!sink.skipped() && !stuck.contains(key) && behind.getOrDefault(key, front) <= offset) {
                waiting.batches.computeIfAbsent(key, _ -> new PendingBatch(sink, new ArrayList<>())).items()
                        .add(new PlacedItem(offset, only(item, sink.fields())));
            }
        }
        if (stuck.stream().noneMatch(key -> StoredPosition.isOf(crawl, key) && behind.getOrDefault(key, front) <= offset)) {
            waiting.accounts.merge(item.run(), account, ItemAccount::plus);
        }
        items++;
    }

    private static Item only(Item item, List<String> fields) {
        if (fields.isEmpty()) {
            return item;
        }
        Map<String, Object> kept = new LinkedHashMap<>();
        fields.stream().filter(item.fields()::containsKey).forEach(field -> kept.put(field, item.fields().get(field)));
        return item.withFields(kept);
    }

    /** Whether enough items wait for a batch. */
    boolean full() {
        return items >= MOST_ITEMS;
    }

    /**
     * Gives all items that wait to their sinks.
     *
     * @param told is given what is to be told about the items of a run that all sinks have
     * @throws StorageException if more sinks are behind than a commit can name
     */
    void flush(BiConsumer<String, ItemAccount> told) throws InterruptedException {
        for (Map.Entry<String, PendingItems> crawl : pending.entrySet()) {
            PendingItems waiting = crawl.getValue();
            if (stored(crawl.getKey(), waiting)) {
                waiting.accounts.forEach(told);
            }
        }
        pending.clear();
        items = 0;
        if (behind.size() > StoredPosition.MOST_BEHIND) {
            throw new StorageException(sinks.failing());
        }
    }

    private boolean stored(String crawl, PendingItems waiting) throws InterruptedException {
        boolean all = true;
        for (Map.Entry<String, PendingBatch> entry : waiting.batches.entrySet()) {
            PendingBatch batch = entry.getValue();
            faults.before(FaultStep.DELIVER);
            if (!sinks.store(batch.sink(),
                    new SinkBatch(crawl, batch.sink().named(), batch.sink().settings(), partition, batch.items()))) {
                // From the first item that is not accounted for, even if the sink has some: it gets them again.
                behind.put(entry.getKey(), waiting.first);
                stuck.add(entry.getKey());
                all = false;
            }
        }
        return all;
    }

    /** What a commit says, after a flush. @param position everything below it was read */
    StoredPosition position(long position) {
        long reached = Math.max(front, position);
        Map<String, Long> left = new TreeMap<>();
        behind.forEach((key, at) -> {
            long now = stuck.contains(key) ? at : Math.max(at, position);
            if (now < reached) {
                left.put(key, now);
            }
        });
        return new StoredPosition(reached, StoredPosition.NOTHING_PENDING, left);
    }

    /** The position is committed. */
    void committed(StoredPosition position) {
        front = position.front();
        behind.clear();
        behind.putAll(position.behind());
        stuck.retainAll(behind.keySet());
    }

    /** Whether a sink that is stuck is to be asked again. */
    boolean retry() {
        return stuck.stream().anyMatch(sinks::due);
    }
}
