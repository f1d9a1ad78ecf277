package io.trawl.definition.url;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.trawl.model.InvalidValueException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A kind of reference of a page that may be followed. */
public enum LinkKind {
    /** Links in the text. */
    A,
    /** Areas of image maps. */
    AREA,
    /** Frames, also those within the page. */
    FRAME,
    /** {@code <link rel=next>}. */
    NEXT,
    /** {@code <link rel=prev>}. */
    PREV,
    /** {@code <link rel=alternate>}. */
    ALTERNATE,
    /** {@code <link rel=canonical>}. */
    CANONICAL,
    /** {@code <meta http-equiv=refresh>}. */
    REFRESH,
    /** URLs in plain text and JSON. */
    TEXT;

    /** The form in JSON: {@code a}, {@code area} and so on. */
    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws InvalidValueException if the word is unknown */
    @JsonCreator
    public static LinkKind of(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findFirst()
                .orElseThrow(() -> new InvalidValueException("links", word,
                        "one of " + Arrays.stream(values()).map(LinkKind::word).collect(Collectors.joining(", "))
                                + (RequisiteKind.named(word).isPresent()
                                        ? "; discover.requisites fetches what pages need"
                                        : "")));
    }
}
