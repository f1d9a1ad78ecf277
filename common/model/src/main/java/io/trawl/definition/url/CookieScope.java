package io.trawl.definition.url;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.trawl.model.InvalidValueException;
import java.util.Arrays;
import java.util.Locale;

/** Which requests get the cookies that a host sets. */
public enum CookieScope {
    /** None: they are not kept. */
    NONE,
    /** Those of the same run to the same host and port. */
    HOST;

    /** The form in JSON: {@code none}, {@code host}. */
    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws InvalidValueException if there is no such scope */
    @JsonCreator
    public static CookieScope of(String word) {
        return Arrays.stream(values()).filter(scope -> scope.word().equals(word)).findFirst()
                .orElseThrow(() -> new InvalidValueException("cookies", word, "none or host"));
    }
}
