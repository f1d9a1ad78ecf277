package io.trawl.definition.url;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.trawl.model.Choice;
import io.trawl.model.InvalidValueException;

/** A kind of reference of a page that may be followed. */
public enum LinkKind implements Choice {
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

    /** @throws InvalidValueException if the word is unknown */
    @JsonCreator
    public static LinkKind of(String word) {
        return Choice.find(values(), word)
                .orElseThrow(() -> new InvalidValueException("links", word,
                        Choice.rule(values()) + (Choice.find(RequisiteKind.values(), word).isPresent()
                                ? "; discover.requisites fetches what pages need"
                                : "")));
    }
}
