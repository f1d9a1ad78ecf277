package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The request headers of a fetch (S6). The style changes neither the crawler's name nor the robots.txt rules that
 * apply.
 */
public enum FetchStyle {
    /** A crawler's headers: few, and the same for every URL. */
    PLAIN,
    /** A browser's headers for a page, in a browser's order. */
    BROWSER;

    /** The form in settings and JSON: {@code plain}, {@code browser}. */
    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws InvalidValueException if the style is unknown */
    @JsonCreator
    public static FetchStyle of(String word) {
        Optional<FetchStyle> style = Arrays.stream(values()).filter(s -> s.word().equals(word)).findFirst();
        return style.orElseThrow(() -> new InvalidValueException("profile", word, "plain or browser"));
    }
}
