package io.trawl.extract.rule;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.trawl.model.InvalidValueException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the value of a field is. */
public enum ValueType {
    /** The text as a reader sees it, without markup. */
    TEXT,
    /** The element itself, with its tags. */
    HTML,
    /** The element as Markdown, with absolute links. */
    MARKDOWN,
    /** A decimal number. */
    NUMBER,
    /** A date, or a time in UTC, in ISO 8601. */
    DATE,
    /** An object of an amount and a currency. */
    MONEY,
    /** An absolute URL in normal form. */
    URL;

    /** The form in JSON: {@code text}. */
    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws InvalidValueException if there is no such type */
    @JsonCreator
    public static ValueType of(String word) {
        return Arrays.stream(values()).filter(type -> type.word().equals(word)).findFirst()
                .orElseThrow(() -> new InvalidValueException("type", word,
                        "one of " + Arrays.stream(values()).map(ValueType::word).collect(Collectors.joining(", "))));
    }
}
