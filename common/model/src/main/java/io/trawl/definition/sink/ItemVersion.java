package io.trawl.definition.sink;

import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.api.SinkBatch.PlacedItem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which item of a key is newer, for sinks that keep the newest one. Versions grow with the run, then with the visit, so
 * an item that comes again or late is never newer. A failure says nothing about what its page was: it is older than any
 * item of the key, and only stands where there is none. Pure.
 */
public final class ItemVersion {
    /** The fields by which versions are told; a sink that upserts gets them with any selection of fields. */
    public static final List<String> FIELDS = List.of("change", "visit");
    /** The values of {@code change} of the error of what is not there any more, and of what it marks. */
    public static final Set<String> AWAY = Set.of("gone", "moved");
    private static final List<String> OF_A_MARK = List.of("change", "visit", "movedTo", "status", "fetchedAt");
    private static final int VISIT_BITS = 31;
    private static final long NO_FAILURE = 1L << 62;

    private ItemVersion() {}

    /** A positive number. The same item has the same one each time it is given. */
    public static long of(Item item) {
        int visit = item.fields().get("visit") instanceof Number number
                ? Math.clamp(number.longValue(), 0, Integer.MAX_VALUE)
                : 0;
        long age = (item.epoch() << VISIT_BITS) + visit;
        return item.kind() == ItemKind.ERROR && !gone(item) ? age : NO_FAILURE + age;
    }

    /** Whether it says that what has its key is gone, or has moved. */
    public static boolean gone(Item item) {
        return item.fields().get("change") instanceof String change && AWAY.contains(change);
    }

    /**
     * The last item of a key with the mark that it is gone or has moved: its fields stay.
     *
     * @param last the fields of that item; empty if there is none
     */
    public static Item marked(Map<String, Object> last, Item gone) {
        Map<String, Object> fields = new LinkedHashMap<>(last);
        OF_A_MARK.stream().filter(gone.fields()::containsKey)
                .forEach(field -> fields.put(field, gone.fields().get(field)));
        return new Item(gone.id(), gone.key(), gone.run(), ItemKind.PAGE, gone.url(), fields);
    }

    /** The same items in as few lists as have no key twice, one after the other. */
    public static List<List<PlacedItem>> rounds(List<PlacedItem> items) {
        List<List<PlacedItem>> rounds = new ArrayList<>();
        Set<String> keys = new HashSet<>();
        for (PlacedItem placed : items) {
            if (rounds.isEmpty() || keys.contains(placed.item().key())) {
                keys.clear();
                rounds.add(new ArrayList<>());
            }
            keys.add(placed.item().key());
            rounds.getLast().add(placed);
        }
        return rounds;
    }
}
