package io.trawl.process;

import io.trawl.model.InvalidValueException.FieldRules;

/**
 * Replaces parts of a text.
 *
 * @param field of the item
 * @param pattern a regular expression of RE2
 * @param with what takes the place of each match; {@code $1} stands for its first group, {@code \$} for a dollar sign
 */
public record Replacement(String field, String pattern, String with) {
    /** @throws io.trawl.model.InvalidValueException if a part is missing */
    public Replacement {
        FieldRules.present("field", field);
        FieldRules.present("pattern", pattern);
        FieldRules.present("with", with);
    }
}
