package io.trawl.extract.rule;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Items of one type, as a user wrote their rule. {@code Extraction.faults} says what is wrong with it.
 *
 * @param type the name of the type, which the items have
 * @param match the pattern of the URLs of their pages, {@link io.trawl.pattern.UrlPattern}; empty: every page
 * @param each what there is an item for: a CSS selector, {@code xpath:...} or {@code json:...}; empty: one item per
 * page
 * @param key the names of fields by which an item is the same in other runs, wherever it is on its page; empty: by its
 * place
 * @param fields of each item, in order
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ItemRule(@JsonProperty("type") Optional<String> type, @JsonProperty("match") Optional<String> match,
        @JsonProperty("each") Optional<String> each, @JsonProperty("key") List<String> key,
        @JsonProperty("fields") Map<String, ItemField> fields) {
    /** Fills in what is absent, and keeps the order of the fields. */
    public ItemRule {
        key = key == null ? List.of() : List.copyOf(key);
        fields = ItemField.ordered(fields);
    }
}
