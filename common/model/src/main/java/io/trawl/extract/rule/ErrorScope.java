package io.trawl.extract.rule;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.trawl.model.InvalidValueException;
import java.util.Arrays;
import java.util.Locale;

/** What a value of the wrong type costs in a field that an item may lack. */
public enum ErrorScope {
    /** The value. */
    FIELD,
    /** The item. */
    ITEM;

    /** The form in JSON: {@code item}. */
    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws InvalidValueException if there is no such scope */
    @JsonCreator
    public static ErrorScope of(String word) {
        return Arrays.stream(values()).filter(scope -> scope.word().equals(word)).findFirst()
                .orElseThrow(() -> new InvalidValueException("onError", word, "field or item"));
    }
}
