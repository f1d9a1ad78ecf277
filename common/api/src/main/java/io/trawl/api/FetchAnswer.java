package io.trawl.api;

import io.trawl.api.render.Rendering;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A server's answer to one request, or the page that a {@link PageFetcher} has made of it. A status of 2xx makes a
 * page, 3xx with a header {@code location} a redirect, any other an HTTP error, whose body is dropped.
 *
 * @param status the HTTP status
 * @param headers names in lower case, repeated values joined by {@code ", "}
 * @param body without content encoding; not copied, so no caller may change it afterwards
 * @param truncated whether the body was longer than the limit and is cut
 * @param rendering how the page was rendered; empty if it was not
 */
public record FetchAnswer(int status, Map<String, String> headers, byte[] body, boolean truncated,
        Optional<Rendering> rendering) {
    /**
     * An answer as a server sent it.
     *
     * @param status the HTTP status
     * @param headers names in lower case, repeated values joined by {@code ", "}
     * @param body without content encoding; not copied, so no caller may change it afterwards
     * @param truncated whether the body was longer than the limit and is cut
     */
    public FetchAnswer(int status, Map<String, String> headers, byte[] body, boolean truncated) {
        this(status, headers, body, truncated, Optional.empty());
    }

    /**
     * Brings the names of headers into lower case.
     *
     * @throws IllegalArgumentException if the status is not 100 to 999
     */
    public FetchAnswer {
        if (status < 100 || status > 999) {
            throw new IllegalArgumentException("a status of 100 to 999, not " + status);
        }
        Map<String, String> named = new LinkedHashMap<>();
        headers.forEach((name, value) -> named.put(name.toLowerCase(Locale.ROOT), value));
        headers = Map.copyOf(named);
        Objects.requireNonNull(body, "body");
    }

    /** {@return whether the status is 2xx} */
    public boolean isSuccess() { return status >= 200 && status < 300; }
}
