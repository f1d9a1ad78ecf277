package io.trawl.downloader.fetch;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One GET to be made.
 *
 * @param url absolute, http or https
 * @param headers all headers to send, apart from those that belong to the connection
 * @param proxy {@code http://host:port} to go through
 * @param bodyLimit the largest body, in bytes, before and after inflation; what is longer is cut and marked
 */
public record Get(String url, Map<String, String> headers, Optional<String> proxy, int bodyLimit) {
    /** Copies the headers; they are sent in the map's order. */
    public Get {
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }
}
