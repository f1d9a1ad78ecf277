package io.trawl.standalone.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.trawl.codec.Json;
import java.net.URI;
import java.util.Optional;

/** Lists that come in parts (RFC 8288). */
public final class Listing {
    private Listing() {}

    /** All parts of a list, as one array; a list in one part is the answer as it came. */
    public static Answer all(Api api, String path) throws InterruptedException {
        Answer first = api.get(path);
        if (first.next().isEmpty()) {
            return first;
        }
        ArrayNode all = Json.mapper().createArrayNode();
        first.json().forEach(all::add);
        Optional<URI> next = first.next();
        while (next.isPresent()) {
            Answer part = api.get(next.get().getRawPath() + query(next.get()));
            JsonNode entries = part.json();
            entries.forEach(all::add);
            // A part without entries that points on would go round for ever.
            next = part.next().filter(target -> !entries.isEmpty());
        }
        return new Answer(first.from(), Json.bytes(all), Optional.empty());
    }

    private static String query(URI target) {
        return Optional.ofNullable(target.getRawQuery()).map(query -> "?" + query).orElse("");
    }
}
