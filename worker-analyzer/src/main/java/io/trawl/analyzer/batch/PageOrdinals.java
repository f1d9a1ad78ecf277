package io.trawl.analyzer.batch;

import io.trawl.api.Item;
import io.trawl.ledger.ItemId;
import java.util.Base64;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which items a page has: the ordinals of each maker, a parser or type, as bits. An element that is no item leaves a
 * gap. Not changed after it was made.
 */
record PageOrdinals(Map<String, BitSet> byMaker) {
    /** More makers, or more characters, are not kept. */
    private static final int MOST_MAKERS = 100;
    private static final int LONGEST = 1000;

    /** The place of an item on its page. @param maker as its id has it */
    record ItemPlace(String maker, int ordinal) {
        static ItemPlace of(Item item) {
            Map<String, Object> fields = item.fields();
            return fields.get("ordinal") instanceof Integer ordinal
                    ? new ItemPlace(fields.get("type") instanceof String type
                            ? ItemId.TYPE + type
                            : String.valueOf(fields.get("parser")), ordinal)
                    : OWN;
        }

        /** That of the page's own item. */
        static final ItemPlace OWN = new ItemPlace(ItemId.PAGE, 0);
    }

    static PageOrdinals of(Collection<ItemPlace> places) {
        Map<String, BitSet> bits = new TreeMap<>();
        places.forEach(place -> bits.computeIfAbsent(place.maker(), _ -> new BitSet()).set(place.ordinal()));
        return new PageOrdinals(bits);
    }

    /** Those that an entry has; empty if they are not known. */
    static Optional<PageOrdinals> known(Optional<Map<String, String>> entry) {
        return entry
                .map(makers -> makers.entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey,
                                maker -> BitSet.valueOf(Base64.getDecoder().decode(maker.getValue())))))
                .or(() -> Optional.of(of(List.of(ItemPlace.OWN)).byMaker())).filter(bits -> !bits.isEmpty())
                .map(bits -> new PageOrdinals(new TreeMap<>(bits)));
    }

    /** As an entry has them. */
    Optional<Map<String, String>> encoded() {
        if (equals(of(List.of(ItemPlace.OWN)))) {
            return Optional.empty();
        }
        Map<String, String> makers = new TreeMap<>();
        byMaker.forEach((maker, bits) -> makers.put(maker,
                Base64.getEncoder().withoutPadding().encodeToString(bits.toByteArray())));
        int length = makers.entrySet().stream().mapToInt(each -> each.getKey().length() + each.getValue().length())
                .sum();
        return Optional.of(makers.size() > MOST_MAKERS || length > LONGEST ? Map.of() : makers);
    }

    boolean has(ItemPlace place) {
        return byMaker.getOrDefault(place.maker(), new BitSet()).get(place.ordinal());
    }

    /** All of them, in order. */
    Stream<ItemPlace> places() {
        return byMaker.entrySet().stream()
                .flatMap(maker -> maker.getValue().stream().mapToObj(bit -> new ItemPlace(maker.getKey(), bit)));
    }
}
