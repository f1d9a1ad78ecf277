package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How a fetch presents itself (S6). Neither changes the name it goes by, nor what robots.txt means to it. */
public enum FetchStyle {
    /** As the crawler it is: few headers, the same for every URL. */
    PLAIN,
    /** With the headers of a browser that is sent to a page, in a browser's order. */
    BROWSER;

    /** As users write it: {@code plain}, {@code browser}. */
    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws InvalidValue if there is no such style */
    @JsonCreator
    public static FetchStyle of(String word) {
        Optional<FetchStyle> style = Arrays.stream(values()).filter(s -> s.word().equals(word)).findFirst();
        return style.orElseThrow(() -> new InvalidValue("profile", word, "plain or browser"));
    }
}
