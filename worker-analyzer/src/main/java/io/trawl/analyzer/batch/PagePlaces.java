package io.trawl.analyzer.batch;

import io.trawl.api.Item;
import io.trawl.ledger.ItemId;
import java.io.ByteArrayOutputStream;
import java.util.Base64;
import java.util.BitSet;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which items a page has. An entry holds the ordinals of each maker, a parser or type, as bits; of items that their
 * rule knows by fields, ten bytes of digest each. An element that is no item leaves a gap. Not changed after it was
 * made.
 */
record PagePlaces(Set<ItemPlace> places) {
    private static final List<ItemPlace> OWN_ALONE = List.of(ItemPlace.OWN);
    /** More makers, or more characters, are not kept. */
    private static final int MOST_MAKERS = 100;
    private static final int LONGEST = 8000;
    private static final int PART_BYTES = 10;
    private static final HexFormat HEX = HexFormat.of();

    /**
     * What tells an item from the others of its page.
     *
     * @param maker as its id has it
     * @param place the ordinal, or {@value #KEYED} and the part of its key
     */
    record ItemPlace(String maker, String place) {
        /** That of the page's own item. */
        static final ItemPlace OWN = of(ItemId.PAGE, 0);
        /** No name of a maker has it at its end. */
        private static final String KEYED = "=";

        static ItemPlace of(String maker, int ordinal) {
            return new ItemPlace(maker, Integer.toString(ordinal));
        }

        /** That of an item of a rule. @param key what the rule knows it by */
        static ItemPlace ofKey(String maker, String key) {
            return ofPart(maker, ItemId.part(maker, KEYED + key));
        }

        private static ItemPlace ofPart(String maker, String part) {
            return new ItemPlace(maker, KEYED + part);
        }

        static ItemPlace of(Item item) {
            Map<String, Object> fields = item.fields();
            if (!(fields.get("ordinal") instanceof Integer ordinal)) {
                return OWN;
            }
            String maker = fields.get("type") instanceof String type
                    ? ItemId.TYPE + type
                    : String.valueOf(fields.get("parser"));
            ItemPlace place = of(maker, ordinal);
            String part = ItemId.partOf(item.key());
            return place.part().equals(part) ? place : ofPart(maker, part);
        }

        private boolean keyed() {
            return place.startsWith(KEYED);
        }

        /** Its number among the items of its maker; empty if its rule knows it by fields. */
        Optional<Integer> ordinal() {
            return keyed() ? Optional.empty() : Optional.of(Integer.valueOf(place));
        }

        /** The part of its key. */
        String part() {
            return keyed() ? place.substring(KEYED.length()) : ItemId.part(maker, place);
        }
    }

    static PagePlaces of(Collection<ItemPlace> places) {
        return new PagePlaces(new LinkedHashSet<>(places));
    }

    /** Those that an entry has; empty if they are not known. */
    static Optional<PagePlaces> known(Optional<Map<String, String>> entry) {
        return entry.map(makers -> makers.entrySet().stream().flatMap(PagePlaces::decoded).toList())
                .or(() -> Optional.of(OWN_ALONE)).filter(places -> !places.isEmpty()).map(PagePlaces::of);
    }

    private static Stream<ItemPlace> decoded(Map.Entry<String, String> group) {
        byte[] bytes = Base64.getDecoder().decode(group.getValue());
        if (!group.getKey().endsWith(ItemPlace.KEYED)) {
            return BitSet.valueOf(bytes).stream().mapToObj(ordinal -> ItemPlace.of(group.getKey(), ordinal));
        }
        String maker = group.getKey().substring(0, group.getKey().length() - ItemPlace.KEYED.length());
        return IntStream.range(0, bytes.length / PART_BYTES)
                .mapToObj(i -> ItemPlace.ofPart(maker, HEX.formatHex(bytes, i * PART_BYTES, (i + 1) * PART_BYTES)));
    }

    /** As an entry has them. */
    Optional<Map<String, String>> encoded() {
        if (places.equals(Set.copyOf(OWN_ALONE))) {
            return Optional.empty();
        }
        Map<String, BitSet> ordinals = new TreeMap<>();
        Map<String, ByteArrayOutputStream> keyed = new TreeMap<>();
        for (ItemPlace place : places) {
            place.ordinal()
                    .ifPresentOrElse(ordinal -> ordinals.computeIfAbsent(place.maker(), _ -> new BitSet()).set(ordinal),
                            () -> keyed
                                    .computeIfAbsent(place.maker() + ItemPlace.KEYED, _ -> new ByteArrayOutputStream())
                                    .writeBytes(HEX.parseHex(place.part())));
        }
        Map<String, String> groups = new TreeMap<>();
        ordinals.forEach((maker, bits) -> groups.put(maker, base64(bits.toByteArray())));
        keyed.forEach((maker, parts) -> groups.put(maker, base64(parts.toByteArray())));
        int length = groups.entrySet().stream().mapToInt(each -> each.getKey().length() + each.getValue().length())
                .sum();
        return Optional.of(groups.size() > MOST_MAKERS || length > LONGEST ? Map.of() : groups);
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().withoutPadding().encodeToString(bytes);
    }

    boolean has(ItemPlace place) {
        return places.contains(place);
    }
}
