package io.trawl.process;

import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.FieldRules;
import io.trawl.value.Locales;
import io.trawl.value.NumberText;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads a text as a number, with or without a currency sign before or behind it.
 *
 * @param field of the item
 * @param locale a language tag, by which decimal points and groups of digits are known; empty: {@code 1,234.5}
 */
public record NumberField(String field, Optional<String> locale) {
    /** @throws InvalidValueException if the field is missing */
    public NumberField {
        FieldRules.present("field", field);
    }

    /**
     * The function on texts. It throws {@link InvalidValueException} for a text that is no number.
     *
     * @throws InvalidValueException if there is no such locale
     */
    public Function<String, Object> reader() {
        return new NumberText(Locales.of("number.locale", locale))::amount;
    }
}
