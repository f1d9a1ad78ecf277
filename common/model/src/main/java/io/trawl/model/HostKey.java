package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * A server as {@code host:port}, or a key for several servers that share one politeness limit: see
 * {@link PolitenessKey}. Requests are keyed by the latter, so that one downloader at a time owns it; responses always
 * by their server, so that all responses of a URL are in one partition in the order in which they were written.
 */
public record HostKey(@JsonValue String value) {
    @JsonCreator
    public HostKey {
        if (value.isEmpty()) {
            throw new InvalidValueException("host", value, "host:port");
        }
    }

    /** Whether it is this host: a name or address with the same port, or without a port. */
    public boolean isOf(String host) {
        return value.equals(host) || value.startsWith(host + ":") && value.indexOf(':', host.length() + 1) < 0;
    }

    @Override
    public String toString() {
        return value;
    }
}
