package io.trawl.value;

import io.trawl.model.InvalidValueException;
import java.util.IllformedLocaleException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Reads the names of locales. Pure functions. */
public final class Locales {
    private static final Set<String> LANGUAGES = Set.of(Locale.getISOLanguages());

    private Locales() {}

    /**
     * The locale of a language tag; without one, English.
     *
     * @throws InvalidValueException if the tag names no language
     */
    public static Locale of(String field, Optional<String> tag) {
        if (tag.isEmpty()) {
            return Locale.ENGLISH;
        }
        try {
            Locale locale = new Locale.Builder().setLanguageTag(tag.get()).build();
            if (LANGUAGES.contains(locale.getLanguage())) {
                return locale;
            }
        } catch (IllformedLocaleException e) {
            // The same fault as a language that there is not.
        }
        throw new InvalidValueException(field, tag.get(), "a language with or without a country, such as de or de-CH");
    }
}
