package io.trawl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.api.Sink;
import io.trawl.api.SinkBatch;
import io.trawl.api.SinkBatch.PlacedItem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What a sink with {@code write: upsert} promises, whatever its store is. */
public final class UpsertContract {
    private static final Item FAILED = failure(1);
    private static final Item FIRST = page(1, "title", "A", "author", "Ann");
    private static final Item FAILED_AGAIN = failure(2);
    private static final Item CHANGED = page(2, "title", "B", "change", "changed", "visit", 2);
    private static final Item GONE = new Item("gone", "page", "docs/3", ItemKind.ERROR, "http://h/",
            Map.of("kind", "HTTP_ERROR", "status", 404, "change", "gone", "visit", 4));
    private static final Item BACK = page(4, "title", "C", "change", "back", "visit", 5);
    private final Supplier<? extends Sink> sinks;
    private final Map<String, Object> settings;
    private final StoredItems stored;
    private long position;

    /** Reads a store. */
    @FunctionalInterface
    public interface StoredItems {
        /** By key, title, author, change and kind, joined by bars, and a minus for what is not there. */
        Map<String, String> read() throws Exception;
    }

    private UpsertContract(Supplier<? extends Sink> sinks, Map<String, Object> settings, StoredItems stored) {
        this.sinks = sinks;
        this.settings = settings;
        this.stored = stored;
    }

    private static Item page(int epoch, Object... fields) {
        Map<String, Object> all = new LinkedHashMap<>();
        IntStream.range(0, fields.length / 2).forEach(i -> all.put((String) fields[2 * i], fields[2 * i + 1]));
        return new Item("p" + epoch, "page", "docs/" + epoch, ItemKind.PAGE, "http://h/", all);
    }

    private static Item failure(int epoch) {
        return new Item("f" + epoch, "page", "docs/" + epoch, ItemKind.ERROR, "http://h/", Map.of("kind", "FAILURE"));
    }

    /**
     * Checks a sink whose store is empty.
     *
     * @param settings with {@code write: upsert}
     * @param gone what is stored of a page that is gone and had the title B
     */
    public static void check(Supplier<? extends Sink> sinks, Map<String, Object> settings, Map<String, String> gone,
            StoredItems stored) throws Exception {
        new UpsertContract(sinks, settings, stored).run(gone);
    }

    private void run(Map<String, String> gone) throws Exception {
        try (Sink first = sinks.get(); Sink second = sinks.get()) {
            give(first, FAILED).isEqualTo(Map.of("page", "-|-|-|FAILURE"));
            give(first, FIRST).as("a page takes the place of a failure").isEqualTo(Map.of("page", "A|Ann|-|-"));
            give(second, FIRST).as("given again").isEqualTo(Map.of("page", "A|Ann|-|-"));
            give(second, FAILED_AGAIN).as("a failure says nothing about it").isEqualTo(Map.of("page", "A|Ann|-|-"));
            give(first, CHANGED).as("no field of the older one is left").isEqualTo(Map.of("page", "B|-|changed|-"));
            give(second, FIRST).as("late, of the run before").isEqualTo(Map.of("page", "B|-|changed|-"));
            give(first, GONE).isEqualTo(gone);
            give(second, GONE).as("given again").isEqualTo(gone);
            give(second, BACK).isEqualTo(Map.of("page", "C|-|back|-"));
            give(first, GONE, CHANGED).as("late").isEqualTo(Map.of("page", "C|-|back|-"));
            Item other = new Item("x", "other", "docs/1", ItemKind.PAGE, "http://h/x", Map.of("title", "X"));
            give(first, page(5, "title", "D", "change", "changed", "visit", 6), other,
                    page(6, "title", "E", "change", "changed", "visit", 7)).as("twice in a batch")
                    .isEqualTo(Map.of("page", "E|-|changed|-", "other", "X|-|-|-"));
            give(second, page(7, "title", "B", "change", "changed", "visit", 8),
                    new Item("g8", "page", "docs/8", ItemKind.ERROR, "http://h/",
                            Map.of("change", "moved", "visit", 9, "movedTo", "http://h/there")))
                    .as("changed and moved in a batch").isEqualTo(with(moved(gone), "other", "X|-|-|-"));
        }
    }

    /** Checks that the newest item stands whatever the order in which items come. */
    public static void checkOrders(Supplier<? extends Sink> sinks, Map<String, Object> settings, StoredItems stored)
            throws Exception {
        UpsertContract contract = new UpsertContract(sinks, settings, stored);
        List<List<Item>> orders = orders(List.of(FAILED_AGAIN, FIRST, CHANGED, GONE, BACK));
        try (Sink sink = sinks.get()) {
            for (int i = 0; i < orders.getFirst().size(); i++) {
                int place = i;
                contract.give(sink, IntStream.range(0, orders.size())
                        .mapToObj(order -> keyed(orders.get(order).get(place), "order " + order)).toArray(Item[]::new));
            }
        }
        assertThat(stored.read()).hasSize(orders.size())
                .allSatisfy((_, item) -> assertThat(item).isEqualTo("C|-|back|-"));
    }

    private static Item keyed(Item item, String key) {
        return new Item(item.id() + key, key, item.run(), item.kind(), item.url(), item.fields());
    }

    private static List<List<Item>> orders(List<Item> items) {
        if (items.isEmpty()) {
            return List.of(List.of());
        }
        List<List<Item>> orders = new ArrayList<>();
        for (Item first : items) {
            orders(items.stream().filter(item -> !item.equals(first)).toList()).forEach(rest -> {
                List<Item> order = new ArrayList<>(List.of(first));
                order.addAll(rest);
                orders.add(order);
            });
        }
        return orders;
    }

    private static Map<String, String> moved(Map<String, String> gone) {
        return gone.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, item -> item.getValue().replace("gone", "moved")));
    }

    private static Map<String, String> with(Map<String, String> items, String key, String item) {
        Map<String, String> all = new LinkedHashMap<>(items);
        all.put(key, item);
        return all;
    }

    private org.assertj.core.api.MapAssert<String, String> give(Sink sink, Item... items) throws Exception {
        List<PlacedItem> placed = new ArrayList<>();
        for (Item item : items) {
            placed.add(new PlacedItem(++position, item));
        }
        sink.store(new SinkBatch("docs", settings.toString(), settings, 0, placed));
        return assertThat(stored.read());
    }
}
