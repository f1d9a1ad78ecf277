package io.trawl.downloader.fetch;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** One GET to send. */
public record FetchRequest(String url, Map<String, String> headers, Optional<String> proxy, int bodyLimit) {
    /** Copies the headers; they are sent in the map's order. */
    public FetchRequest {
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }
}
