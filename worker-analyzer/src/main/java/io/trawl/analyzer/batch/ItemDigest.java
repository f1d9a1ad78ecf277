package io.trawl.analyzer.batch;

import io.trawl.analyzer.batch.FieldDigests.DigestedField;
import io.trawl.analyzer.batch.PagePlaces.ItemPlace;
import io.trawl.api.Item;
import io.trawl.codec.Json;
import io.trawl.extract.ItemSchema;
import io.trawl.model.Sha256;
import io.trawl.scope.LinkFacts;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A digest of the items of a page that is equal for equal contents. What templates, clocks and counters alter is no
 * content.
 *
 * @param fields that count; if there are none, title and text, {@code sha256} where there is no text, and of an item
 * that a rule or parser made its own fields, too
 */
record ItemDigest(List<String> fields) {
    private static final int DIGITS = 32;
    /** Large, and changed by templates or with the text. */
    private static final Set<String> NOT_NAMED = Set.of("links", "anchors", "markdown", "headingIds");

    /** 32 hexadecimal digits. */
    String of(List<Item> items) {
        List<Object> all = new ArrayList<>();
        items.forEach(item -> all.add(List.of(item.key(), content(item.fields()))));
        return Sha256.hex(Json.text(all)).substring(0, DIGITS);
    }

    /** Four bytes of that of one item. */
    int number(Item item) {
        return HexFormat.fromHexDigits(of(List.of(item)).substring(0, Integer.BYTES * 2));
    }

    /** The same of a page that has no items, or of a source: what it leads to, with the dates of a source. */
    static String ofLinks(List<FoundReference> found) {
        return Sha256.hex(found.stream()
                .map(link -> link.url().orElse("") + " " + link.wanted().metadata().getOrDefault(LinkFacts.LASTMOD, ""))
                .collect(Collectors.joining("\n"))).substring(0, DIGITS);
    }

    /**
     * The fields of an item that can change: what counts, title and text, its own ones. Those of a page may be absent.
     */
    Stream<DigestedField> fields(Item item) {
        Map<String, Object> content = content(item.fields());
        Set<String> names = new LinkedHashSet<>(List.of("title", "text"));
        names.addAll(fields);
        if (!ItemPlace.of(item).equals(ItemPlace.OWN)) {
            names.retainAll(item.fields().keySet());
        }
        item.fields().keySet().stream().filter(name -> !ItemSchema.RESERVED.contains(name) && !NOT_NAMED.contains(name))
                .forEach(names::add);
        names.addAll(content.keySet());
        return names.stream().map(name -> DigestedField.of(item.key(), name,
                Optional.ofNullable(item.fields().get(name)), content.containsKey(name)));
    }

    private Map<String, Object> content(Map<String, Object> item) {
        Map<String, Object> content = new TreeMap<>();
        List<String> taken = fields.isEmpty() ? List.of("title", "text") : fields;
        taken.stream().filter(item::containsKey).forEach(field -> content.put(field, item.get(field)));
        if (fields.isEmpty()) {
            if (item.containsKey("type") || item.containsKey("parser")) {
                item.forEach((field, value) -> {
                    if (!ItemSchema.RESERVED.contains(field)) {
                        content.put(field, value);
                    }
                });
            } else if (!(item.get("text") instanceof String text) || text.isBlank()) {
                content.put("sha256", item.getOrDefault("sha256", ""));
            }
        }
        return content;
    }
}
