package io.trawl.pipeline.sink;

import io.trawl.api.Item;
import io.trawl.api.SinkBatch;
import io.trawl.api.SinkBatch.PlacedItem;
import io.trawl.channel.offset.StoredPosition;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.sink.DeliveryOutcome.NotStored;
import io.trawl.pipeline.sink.DeliveryOutcome.Stored;
import io.trawl.pipeline.sink.DeliveryOutcome.StoredInPart;
import io.trawl.pipeline.sink.FaultPoint.FaultStep;
import io.trawl.pipeline.sink.ItemOutputs.SinkItems;
import io.trawl.pipeline.sink.ItemOutputs.TopicLine;
import io.trawl.pipeline.sink.PendingItems.PendingBatch;
import io.trawl.pipeline.sink.PendingItems.TopicBatch;
import io.trawl.pipeline.sink.SinkOffsets.TopicRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * The items of one partition for sinks with positions of their own. They wait here for a batch. Items are accounted for
 * when all sinks of their crawl have them: with the batch, or, if one of its sinks fails, when that has caught up. A
 * sink that fails is <em>stuck</em> at its position until the partition is taken over again; it is behind while its
 * position is below the front.
 *
 * <p>
 * Sinks that are topics of the cluster have a position together. It moves in the transaction that writes their items
 * ({@link #unwritten}), and may be beyond the front. A batch never spans one of the positions, so that a topic that
 * refuses it is behind from its first item on. Confined to one thread.
 */
final class SinkDeliveries {
    private static final int MOST_ITEMS = 500;
    private static final int MOST_IN_LARGE = 20_000;
    private static final long MOST_BYTES = 4 << 20;
    private static final long MOST_BYTES_IN_LARGE = 8 << 20;
    /** Of an item without its texts, about. */
    private static final long SMALLEST = 200;
    private final int partition;
    private final RetriedSinks sinks;
    private final SinkOffsets offsets;
    private final FaultPoint faults;
    private long front;
    private long topics;
    private final Map<String, Long> behind;
    private final Set<String> stuck = new HashSet<>();
    private final Map<String, PendingItems> pending = new LinkedHashMap<>();
    private final List<TopicBatch> unwritten = new ArrayList<>();
    private int items;
    private long bytes;
    private long first;

    /** @param offsets asked why topics refuse items */
    SinkDeliveries(int partition, StoredPosition position, RetriedSinks sinks, SinkOffsets offsets, FaultPoint faults) {
        this.partition = partition;
        this.sinks = sinks;
        this.offsets = offsets;
        this.faults = faults;
        this.front = position.front();
        this.topics = position.topics();
        this.behind = new TreeMap<>(position.behind());
    }

    /** Everything below is stored in all sinks but those that are behind. */
    long front() {
        return front;
    }

    /** Whether an item of a crawl is to be handled: below the front only a sink that catches up gets it. */
    boolean wants(String crawl, long offset) {
        return offset >= front || behind.entrySet().stream().anyMatch(sink -> StoredPosition.isOf(crawl, sink.getKey())
                && !stuck.contains(sink.getKey()) && sink.getValue() <= offset);
    }

    /** Whether no sink catches up, so that nothing below the front is wanted. */
    boolean idle() {
        return behind.entrySet().stream().allMatch(sink -> sink.getValue() >= front || stuck.contains(sink.getKey()));
    }

    /**
     * Whether one of the positions is between the items that wait and an item at an offset, so that these have to go
     * first.
     */
    boolean ends(long offset) {
        return items > 0 && Stream.concat(Stream.of(front, topics), behind.values().stream())
                .anyMatch(position -> first < position && position <= offset);
    }

    /** Whether items of a crawl are accounted for here, since some of them wait, or one of its sinks is behind. */
    boolean accountsFor(String crawl) {
        return pending.containsKey(crawl) || behind.keySet().stream().anyMatch(key -> StoredPosition.isOf(crawl, key));
    }

    /**
     * Adds an item that is wanted.
     *
     * @param outputs the sinks that take it
     * @param account what is told about it when they have it
     */
    void add(Item item, long offset, ItemOutputs outputs, ItemAccount account) {
        String crawl = item.crawl();
        PendingItems waiting = pending.computeIfAbsent(crawl, _ -> new PendingItems(offset));
        for (SinkItems other : outputs.others()) {
            SinkDefinition sink = other.sink();
            String key = StoredPosition.key(crawl, sink.named());
            if (takes(sink, key, front, offset)) {
                List<PlacedItem> batch = waiting.batches
                        .computeIfAbsent(key, _ -> new PendingBatch(sink, new ArrayList<>())).items();
                other.items().forEach(given -> batch.add(new PlacedItem(offset, sink.only(given))));
                waiting.large |= sinks.wantsLargeBatches(sink);
            }
        }
        for (TopicLine line : outputs.topics()) {
            String key = StoredPosition.key(crawl, line.sink().named());
            if (takes(line.sink(), key, topics, offset)) {
                waiting.topics.computeIfAbsent(key, _ -> new TopicBatch(crawl, line.sink(), new ArrayList<>()))
                        .records().add(new TopicRecord(line.sink().topic().orElseThrow(), line.key(), line.value(),
                                CrawlRun.parse(item.run())));
                bytes += line.value().map(value -> value.length).orElse(0);
            }
        }
        if (stuck.stream()
                .noneMatch(key -> StoredPosition.isOf(crawl, key) && behind.getOrDefault(key, front) <= offset)) {
            waiting.accounts.merge(item.run(), account, ItemAccount::plus);
        } else {
            waiting.notTold.add(offset);
        }
        if (waiting.large) {
            bytes += size(item.fields());
        }
        first = items == 0 ? offset : first;
        items += Math.max(1, outputs.mostGiven());
    }

    private boolean takes(SinkDefinition sink, String key, long begin, long offset) {
        return !sink.skipped() && !stuck.contains(key) && behind.getOrDefault(key, begin) <= offset;
    }

    private static long size(Object value) {
        return switch (value) {
            case String text -> text.length();
            case Map<?, ?> map -> SMALLEST + map.values().stream().mapToLong(SinkDeliveries::size).sum();
            case Collection<?> list -> list.stream().mapToLong(SinkDeliveries::size).sum();
            default -> Long.BYTES;
        };
    }

    /** Whether enough items wait for a batch. */
    boolean full() {
        boolean large = pending.values().stream().anyMatch(waiting -> waiting.large);
        return items >= (large ? MOST_IN_LARGE : MOST_ITEMS) || bytes >= (large ? MOST_BYTES_IN_LARGE : MOST_BYTES);
    }

    /** Whether all that waits is for large batches, which have more time. */
    boolean mayWait() {
        return pending.values().stream().allMatch(waiting -> waiting.large);
    }

    /**
     * Gives all items that wait to their sinks; what is for topics is {@link #unwritten} then.
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
        bytes = 0;
        if (behind.size() > StoredPosition.MOST_BEHIND) {
            throw new StorageException(sinks.failing());
        }
    }

    private boolean stored(String crawl, PendingItems waiting) throws InterruptedException {
        boolean all = true;
        for (Map.Entry<String, PendingBatch> entry : waiting.batches.entrySet()) {
            PendingBatch batch = entry.getValue();
            faults.before(FaultStep.DELIVER);
            switch (sinks.store(batch.sink(),
                    new SinkBatch(crawl, batch.sink().named(), batch.sink().given(), partition, batch.items()))) {
                case Stored _ -> {
                    // It is accounted for with all that waits.
                }
                case StoredInPart part -> waiting.refuse(batch, part.refused(), sinks);
                case NotStored _ -> {
                    // From the first item that is not accounted for, even if the sink has some: it gets them again.
                    stop(entry.getKey(), waiting.first);
                    all = false;
                }
            }
        }
        for (Map.Entry<String, TopicBatch> entry : waiting.topics.entrySet()) {
            TopicBatch batch = entry.getValue();
            // A topic that has refused items is asked before, since a refusal ends the whole transaction.
            if (sinks.fails(entry.getKey()) && refused(batch)) {
                stop(entry.getKey(), waiting.first);
                all = false;
            } else {
                unwritten.add(batch);
            }
        }
        return all;
    }

    private void stop(String key, long at) {
        behind.put(key, at);
        stuck.add(key);
    }

    private boolean refused(TopicBatch batch) throws InterruptedException {
        Optional<String> cause = offsets.refusal(batch.records());
        sinks.note(StoredPosition.key(batch.crawl(), batch.sink().named()),
                cause.<DeliveryOutcome>map(NotStored::new).orElseGet(Stored::new));
        return cause.isPresent();
    }

    /** Notes the topics that refuse their items, after a transaction with them has failed. */
    void refused() throws InterruptedException {
        for (TopicBatch batch : unwritten) {
            refused(batch);
        }
    }

    /** Since the last commit, the items for topics: they have to be written with the next one. */
    List<TopicRecord> unwritten() {
        return unwritten.stream().flatMap(batch -> batch.records().stream()).toList();
    }

    /** What the commit of a segment says, after a flush. @param position everything below it was read */
    StoredPosition position(long position) {
        return position(Math.max(front, position), position);
    }

    /**
     * What a commit of nothing but items for topics says, after a flush, while no sink catches up. @param position
     * everything below it was read
     */
    StoredPosition ahead(long position) {
        return position(front, position);
    }

    private StoredPosition position(long reached, long position) {
        long written = Math.max(topics, position);
        Map<String, Long> left = new TreeMap<>();
        behind.forEach((key, at) -> {
            long now = stuck.contains(key) ? at : Math.max(at, position);
            if (now < written) {
                left.put(key, now);
            }
        });
        return new StoredPosition(reached, StoredPosition.NOTHING_PENDING, written, left);
    }

    /** The position is committed. */
    void committed(StoredPosition position) {
        front = position.front();
        topics = position.topics();
        unwritten.clear();
        behind.clear();
        behind.putAll(position.behind());
        stuck.retainAll(behind.keySet());
    }

    /** Whether a sink that is stuck is to be asked again. */
    boolean retry() {
        return stuck.stream().anyMatch(sinks::due);
    }
}
