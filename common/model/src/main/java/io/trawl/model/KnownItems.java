package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.model.InvalidValueException.FieldRules;
import java.util.Map;
import java.util.Optional;

/**
 * What the entry of a page knows of its items as they were stored last: enough to say what a later visit finds changed.
 *
 * @param epoch of the run that stored them
 * @param fields digests of the first fields, in Base64: analyzers read it
 * @param text the SimHash of the page's text; empty if it has none, or too few words
 * @param places those of the items of each parser or type, and digests of their contents; analyzers read it. Absent if
 * there is only the page's own item; a map without entries if there are too many others to be known
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record KnownItems(int epoch, String fields, Optional<Long> text, Optional<Map<String, String>> places) {
    /** @throws InvalidValueException if a field is out of its range */
    public KnownItems {
        FieldRules.range("visit.items.epoch", epoch, 1, Integer.MAX_VALUE);
        FieldRules.present("visit.items.fields", fields);
        places = places.map(Map::copyOf);
    }
}
