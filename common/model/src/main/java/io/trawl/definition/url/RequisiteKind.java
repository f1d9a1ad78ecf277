package io.trawl.definition.url;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.trawl.model.InvalidValueException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A kind of file that a page needs to look as it does. */
public enum RequisiteKind {
    /** Style sheets, also those that others import. */
    STYLE,
    /** Images in all their sizes, also those of style sheets, and the posters of videos. */
    IMAGE,
    /** Scripts. */
    SCRIPT,
    /** The fonts of style sheets. */
    FONT,
    /** Audio, video and its subtitles. */
    MEDIA,
    /** Icons of the site. */
    ICON,
    /** What {@code <object>} and {@code <embed>} show. */
    OBJECT;

    /** The form in JSON: {@code style}, {@code image} and so on. */
    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<RequisiteKind> named(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findFirst();
    }

    /** @throws InvalidValueException if the word is unknown */
    @JsonCreator
    public static RequisiteKind of(String word) {
        return named(word).orElseThrow(() -> new InvalidValueException("requisites", word,
                "one of " + Arrays.stream(values()).map(RequisiteKind::word).collect(Collectors.joining(", "))));
    }
}
