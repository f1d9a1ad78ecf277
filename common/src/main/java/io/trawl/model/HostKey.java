package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * A server as {@code host:port}, or what stands for several that are asked only so often together: see {@link PolitenessKey}. Requests are keyed by
 * the latter, so that one downloader at a time owns it; responses always by their server, so that all of a URL lie in one partition in the order in which
 * they were written.
 */
public record HostKey(@JsonValue String value) {
    @JsonCreator
    public HostKey {
        if (value.isEmpty()) {
            throw new InvalidValue("host", value, "host:port");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
