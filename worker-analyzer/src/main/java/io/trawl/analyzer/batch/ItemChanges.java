package io.trawl.analyzer.batch;

import io.trawl.analyzer.batch.FieldDigests.DigestedField;
import io.trawl.analyzer.batch.PagePlaces.ItemPlace;
import io.trawl.api.Item;
import io.trawl.ledger.ItemId;
import io.trawl.model.CrawlRun;
import io.trawl.model.KnownItems;
import io.trawl.model.Response;
import io.trawl.process.builtin.SimilarText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How the items of a page differ from those that its entry knows. Pure. */
final class ItemChanges {
    private static final String TEXT = "text";
    private final Response response;
    private final Optional<KnownItems> before;
    private final Optional<PagePlaces> had;
    private final PagePlaces has;
    private final List<DigestedField> fields;
    private final Optional<List<DigestedField>> changed;
    private final Optional<Long> text;

    /** @param items of the page now */
    ItemChanges(ItemDigest digest, Response response, Optional<KnownItems> before, List<Item> items) {
        this.response = response;
        this.before = before;
        this.had = before.flatMap(known -> PagePlaces.known(known.places()));
        this.has = PagePlaces.of(items, digest);
        this.fields = FieldDigests.first(items.stream().flatMap(digest::fields));
        this.changed = before.flatMap(known -> FieldDigests.changed(known.fields(), fields));
        this.text = items.stream().filter(item -> ItemPlace.of(item).equals(ItemPlace.OWN))
                .map(item -> item.fields().getOrDefault(TEXT, "")).findFirst()
                .flatMap(value -> SimilarText.hash(value.toString()));
    }

    /** What the next visit is to know of the items of now. */
    KnownItems known() {
        return new KnownItems(response.run().epoch(), FieldDigests.encoded(fields), text, has.encoded());
    }

    /** Whether of all that is compared only the text of the page has changed, and hardly. */
    boolean touched() {
        List<DigestedField> counting = changed.orElse(List.of()).stream().filter(DigestedField::counts).toList();
        String own = ItemId.key(response.run().crawl(), response.pageIdentity());
        return counting.size() == 1
                && counting.stream().allMatch(field -> field.name().equals(TEXT) && field.key().equals(own))
                && before.filter(known -> FieldDigests.complete(known.fields(), fields)).flatMap(KnownItems::text)
                        .filter(old -> text.filter(now -> SimilarText.similar(old, now)).isPresent()).isPresent();
    }

    /** Whether the page had no such item. */
    boolean added(Item item) {
        return had.filter(known -> !known.has(ItemPlace.of(item))).isPresent();
    }

    /** Whether it is as it was, though others of its page have changed. */
    boolean same(Item item) {
        return had.filter(known -> known.same(ItemPlace.of(item), has)).isPresent();
    }

    /** What an item says of the one in whose place it is. */
    Map<String, Object> differences(Item item) {
        Map<String, Object> said = new LinkedHashMap<>();
        changed.filter(_ -> fields.stream().anyMatch(field -> field.key().equals(item.key())))
                .ifPresent(names -> said.put("changedFields", names.stream()
                        .filter(field -> field.key().equals(item.key())).map(DigestedField::name).toList()));
        ItemPlace place = ItemPlace.of(item);
        had.filter(known -> known.has(place)).flatMap(_ -> before).ifPresent(known -> said.put("previous",
                ItemId.of(new CrawlRun(response.run().crawl(), known.epoch()), response.pageIdentity(), place.part())));
        return said;
    }

    /** The items that the page has no longer, as far as that is known. */
    List<ItemPlace> lost() {
        return had.stream().flatMap(known -> known.places().stream()).filter(place -> !has.has(place)).toList();
    }
}
