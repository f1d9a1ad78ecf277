package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A constant of an enumeration that settings, JSON and users write as its name in small letters. */
public interface Choice {
    /** The name of the constant. */
    String name();

    /** How it is written. */
    @JsonValue
    default String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The constant that is written so, if there is one. */
    static <C extends Choice> Optional<C> find(C[] among, String word) {
        return Arrays.stream(among).filter(choice -> choice.word().equals(word)).findFirst();
    }

    /** What may be written, in words. */
    static String rule(Choice[] among) {
        return "one of " + Arrays.stream(among).map(Choice::word).collect(Collectors.joining(", "));
    }

    /** @throws InvalidValueException with the name of the field if no constant is written so */
    static <C extends Choice> C of(String field, C[] among, String word) {
        return find(among, word).orElseThrow(() -> new InvalidValueException(field, word, rule(among)));
    }
}
