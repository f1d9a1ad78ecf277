package io.trawl.scope;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.trawl.model.InvalidValueException;
import java.util.Arrays;
import java.util.Locale;

/** What becomes of the links of pages that are in none of the wanted languages. */
public enum OtherLanguages {
    /** They are followed: a page in one language often leads to those in another. */
    FOLLOW,
    /** They are not followed. */
    IGNORE;

    /** The form in JSON: {@code follow}, {@code ignore}. */
    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws InvalidValueException if there is no such word */
    @JsonCreator
    public static OtherLanguages of(String word) {
        return Arrays.stream(values()).filter(one -> one.word().equals(word)).findFirst()
                .orElseThrow(() -> new InvalidValueException("otherLanguages", word, "follow or ignore"));
    }
}
