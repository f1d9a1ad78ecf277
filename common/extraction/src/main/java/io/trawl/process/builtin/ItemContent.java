package io.trawl.process.builtin;

import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.codec.Json;
import io.trawl.ledger.Fingerprint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The fields that tell the items of a run apart.
 *
 * @param fields their names
 */
public record ItemContent(List<String> fields) {
    /** @throws io.trawl.model.InvalidValueException if there are none, or one is no name */
    public ItemContent {
        FieldProcessors.names("unique", fields);
        fields = List.copyOf(fields);
    }

    /**
     * The fingerprint of names and values: equal for items with equal ones. Empty for errors, and for an item that has
     * none of the fields.
     *
     * @throws IllegalStateException if a value has no JSON form
     */
    public Optional<Fingerprint> of(Item item) {
        Map<String, Object> all = new WholeItem(item);
        if (item.kind() == ItemKind.ERROR || fields.stream().noneMatch(all::containsKey)) {
            return Optional.empty();
        }
        List<Object> key = new ArrayList<>(fields);
        fields.forEach(field -> key.add(Optional.ofNullable(all.get(field))));
        return Optional.of(Fingerprint.of(Json.text(key)));
    }

    /** The fields, as the reason of a drop. */
    public String reason() {
        return String.join(", ", fields);
    }
}
