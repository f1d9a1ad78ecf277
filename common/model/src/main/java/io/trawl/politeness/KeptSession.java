package io.trawl.politeness;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a run knows of its session at a host.
 *
 * @param number of changes up to this one
 * @param cookies that the host has set
 * @param login the fingerprint of the login that was done; empty: none
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record KeptSession(long number, List<KeptCookie> cookies, Optional<String> login) {
    /** That of a host that has set nothing. */
    public static final KeptSession NEW = new KeptSession(0, List.of(), Optional.empty());

    /** Copies the list. */
    @SuppressWarnings("ConstantValue")
    public KeptSession {
        cookies = cookies == null ? List.of() : List.copyOf(cookies);
    }

    /**
     * A cookie. Its text shows no value.
     *
     * @param path for which it is sent
     * @param secure whether it is sent over TLS only
     * @param expires empty: with the run
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record KeptCookie(String name, String value, String path, boolean secure, Optional<Instant> expires) {
        /** Fills in what is absent. */
        @SuppressWarnings("ConstantValue")
        public KeptCookie {
            value = value == null ? "" : value;
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
