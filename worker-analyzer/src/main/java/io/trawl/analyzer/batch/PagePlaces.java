package io.trawl.analyzer.batch;

import io.trawl.api.Item;
import io.trawl.ledger.ItemId;
import java.io.ByteArrayOutputStream;
import java.util.Base64;
import java.util.stream.Collectors;
import java.util.LinkedHashMap;
import java.util.Comparator;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Collection;
import java.util.HexFormat;
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
record PagePlaces(Map<ItemPlace, Optional<Integer>> digests) {
    private static final String DOT = ".";
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
        private static final Comparator<ItemPlace> IN_ORDER = Comparator.comparing(ItemPlace::group)
                .thenComparing(place -> place.ordinal().orElse(0)).thenComparing(ItemPlace::place);

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

        /** What its entry is with. */
        private String group() {
            return keyed() ? maker + KEYED : maker;
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

    /** Those of items, each with a digest of its content, which that of the page is if there is no other. */
    static PagePlaces of(Collection<Item> items, ItemDigest digest) {
        Map<ItemPlace, Optional<Integer>> digests = new LinkedHashMap<>();
        items.forEach(item -> {
            ItemPlace place = ItemPlace.of(item);
            boolean alone = items.size() == 1 && place.equals(ItemPlace.OWN);
            digests.put(place, alone ? Optional.empty() : Optional.of(digest.number(item)));
        });
        return new PagePlaces(digests);
    }

    /** Those that an entry has; empty if they are not known. */
    static Optional<PagePlaces> known(Optional<Map<String, String>> entry) {
        if (entry.isEmpty()) {
            return Optional.of(new PagePlaces(Map.of(ItemPlace.OWN, Optional.empty())));
        }
        Map<ItemPlace, Optional<Integer>> digests = new LinkedHashMap<>();
        entry.get().forEach((group, encoded) -> decode(group, encoded, digests));
        return Optional.of(new PagePlaces(digests)).filter(known -> !digests.isEmpty());
    }

    private static void decode(String group, String encoded, Map<ItemPlace, Optional<Integer>> digests) {
        int dot = encoded.indexOf(DOT);
        byte[] places = Base64.getDecoder().decode(encoded.substring(0, dot));
        ByteBuffer numbers = ByteBuffer.wrap(Base64.getDecoder().decode(encoded.substring(dot + 1)));
        decoded(group, places).forEach(
                place -> digests.put(place, numbers.hasRemaining() ? Optional.of(numbers.getInt()) : Optional.empty()));
    }

    private static Stream<ItemPlace> decoded(String group, byte[] bytes) {
        if (!group.endsWith(ItemPlace.KEYED)) {
            return BitSet.valueOf(bytes).stream().mapToObj(ordinal -> ItemPlace.of(group, ordinal));
        }
        String maker = group.substring(0, group.length() - ItemPlace.KEYED.length());
        return IntStream.range(0, bytes.length / PART_BYTES)
                .mapToObj(i -> ItemPlace.ofPart(maker, HEX.formatHex(bytes, i * PART_BYTES, (i + 1) * PART_BYTES)));
    }

    /** As an entry has them; without digests if these are too long. */
    Optional<Map<String, String>> encoded() {
        if (digests.keySet().equals(Set.of(ItemPlace.OWN))) {
            return Optional.empty();
        }
        Map<String, List<ItemPlace>> groups = digests.keySet().stream().sorted(ItemPlace.IN_ORDER)
                .collect(Collectors.groupingBy(ItemPlace::group, TreeMap::new, Collectors.toList()));
        return Optional.of(Stream.of(true, false).map(withDigests -> encoded(groups, withDigests))
                .filter(encoded -> encoded.size() <= MOST_MAKERS && encoded.entrySet().stream()
                        .mapToInt(each -> each.getKey().length() + each.getValue().length()).sum() <= LONGEST)
                .findFirst().orElse(Map.of()));
    }

    private Map<String, String> encoded(Map<String, List<ItemPlace>> groups, boolean withDigests) {
        Map<String, String> encoded = new TreeMap<>();
        groups.forEach((group, places) -> {
            ByteBuffer numbers = ByteBuffer.allocate(withDigests ? places.size() * Integer.BYTES : 0);
            if (withDigests) {
                places.forEach(place -> numbers.putInt(digests.getOrDefault(place, Optional.empty()).orElse(0)));
            }
            encoded.put(group, base64(bytes(places)) + DOT + base64(numbers.array()));
        });
        return encoded;
    }

    /** @param places of one group, in order */
    private static byte[] bytes(List<ItemPlace> places) {
        BitSet ordinals = new BitSet();
        ByteArrayOutputStream parts = new ByteArrayOutputStream();
        places.forEach(place -> place.ordinal().ifPresentOrElse(ordinals::set,
                () -> parts.writeBytes(HEX.parseHex(place.part()))));
        return parts.size() > 0 ? parts.toByteArray() : ordinals.toByteArray();
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().withoutPadding().encodeToString(bytes);
    }

    boolean has(ItemPlace place) {
        return digests.containsKey(place);
    }

    /** All of them. */
    Set<ItemPlace> places() {
        return digests.keySet();
    }

    /** Whether an item is known, with the same content: two of 2^32 contents that differ have one digest. */
    boolean same(ItemPlace place, PagePlaces now) {
        Optional<Integer> digest = digests.getOrDefault(place, Optional.empty());
        return digest.isPresent() && digest.equals(now.digests.get(place));
    }
}
