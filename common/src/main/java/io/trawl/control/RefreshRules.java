package io.trawl.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.field.Form;
import io.trawl.field.Size;
import java.util.List;

/**
 * How the pages of a crawl are visited again.
 *
 * @param compare the fields of items by which a page is unchanged; by default title and text, of an item of a rule or
 * parser its own fields, too, and {@code sha256} where there is no text
 * @param events whether a refresh writes an event {@code page.changed} for each item that it finds new, changed, gone
 * or back
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record RefreshRules(
        @Size(max = 100) @Form(regexp = ".{1,200}", rule = "the name of a field of items") List<String> compare,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) Boolean events) {
    /** By title and text. */
    public static final RefreshRules DEFAULT = new RefreshRules(List.of(), false);

    /** Copies the list; an absent one is empty, and there are no events. */
    public RefreshRules {
        compare = compare == null ? List.of() : List.copyOf(compare);
        events = events != null && events;
    }
}
