package io.trawl.api;

import io.trawl.api.SinkBatch.PlacedItem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * A check of the contract of {@link Sink}, for the tests of a plug-in: it stores items as a pipeline does after crashes
 * and failures, and looks at what is there. The store must be empty before, and items of the crawls {@code contract-a}
 * and {@code contract-b} are in it afterwards.
 */
public final class SinkContract {
    private final Supplier<? extends Sink> sinks;
    private final Map<String, Object> settings;
    private final StoredIds stored;
    private final List<String> expected = new ArrayList<>();

    /** Reads a store. */
    @FunctionalInterface
    public interface StoredIds {
        /**
         * {@return the ids of all items in the store, each as often as it is there}
         *
         * @throws Exception if it cannot be read
         */
        Collection<String> read() throws Exception;
    }

    private SinkContract(Supplier<? extends Sink> sinks, Map<String, Object> settings, StoredIds stored) {
        this.sinks = sinks;
        this.settings = settings;
        this.stored = stored;
    }

    /**
     * Checks a sink.
     *
     * @param sinks creates instances, as processes do that use one store
     * @param settings of the sink in the definition of the crawl
     * @param stored reads the store
     * @throws AssertionError with the rule that it breaks
     * @throws Exception if it fails, or the store cannot be read
     */
    public static void check(Supplier<? extends Sink> sinks, Map<String, Object> settings, StoredIds stored)
            throws Exception {
        new SinkContract(sinks, settings, stored).run();
    }

    private void run() throws Exception {
        try (Sink first = sinks.get(); Sink second = sinks.get()) {
            give(first, "contract-a", 0, 1, 3, "when store returns, the items are stored");
            give(first, "contract-a", 0, 1, 3, "a batch that is given again stores nothing twice");
            give(second, "contract-a", 0, 1, 3, "nor if another process gives it");
            give(second, "contract-a", 0, 2, 5, "a batch with known and with new items stores the new ones");
            give(first, "contract-a", 0, 1, 2, "a part of the items that a paused process gives late changes nothing");
            give(first, "contract-a", 0, 9, 9, "positions may have gaps");
            give(first, "contract-a", 1, 1, 3, "every partition has positions of its own");
            give(second, "contract-b", 0, 1, 3, "every crawl has positions of its own");
        }
        try (Sink third = sinks.get()) {
            give(third, "contract-b", 0, 2, 4, "a process that was started again knows what is stored");
        }
    }

    private void give(Sink sink, String crawl, int partition, long from, long to, String rule) throws Exception {
        List<PlacedItem> items = LongStream.rangeClosed(from, to).mapToObj(position -> item(crawl, partition, position))
                .toList();
        items.stream().map(item -> item.item().id()).filter(id -> !expected.contains(id)).forEach(expected::add);
        sink.store(new SinkBatch(crawl, "contract", settings, partition, items));
        List<String> found = stored.read().stream().sorted().toList();
        List<String> wanted = expected.stream().sorted().toList();
        if (!found.equals(wanted)) {
            TreeSet<String> missing = new TreeSet<>(wanted);
            found.forEach(missing::remove);
            List<String> excess = new ArrayList<>(found);
            wanted.forEach(excess::remove);
            throw new AssertionError(rule + ": missing " + missing + ", twice or unknown " + excess);
        }
    }

    private static PlacedItem item(String crawl, int partition, long position) {
        String id = crawl + "-" + partition + "-" + position;
        return new PlacedItem(position, new Item(id, "k" + id, crawl + "/1", ItemKind.PAGE, "https://example.org/" + id,
                Map.of("title", "Page " + position)));
    }
}
