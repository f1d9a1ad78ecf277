package io.trawl.standalone.client;

import io.trawl.model.InvalidValueException;
import java.util.Optional;

/**
 * A path with its query. Immutable.
 *
 * @param text the encoded path and query
 */
public record Query(String text) {
    private static final int MOST = 1000;

    /** Adds a parameter, if there is a value. */
    public Query with(String name, Optional<String> value) {
        return value.map(v -> new Query(text + (text.contains("?") ? "&" : "?") + name + "=" + Api.encoded(v)))
                .orElse(this);
    }

    /**
     * Adds a limit of entries.
     *
     * @throws InvalidValueException if it is not 1 to 1000
     */
    public Query limit(int limit) {
        if (limit < 1 || limit > MOST) {
            throw new InvalidValueException("--limit", Integer.toString(limit), "1 to " + MOST);
        }
        return with("limit", Optional.of(Integer.toString(limit)));
    }

    @Override
    public String toString() {
        return text;
    }
}
