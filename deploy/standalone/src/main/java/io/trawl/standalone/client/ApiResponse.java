package io.trawl.standalone.client;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * A successful answer of a coordinator.
 *
 * @param from the coordinator that answered
 * @param body as received, in UTF-8
 * @param next the address of the next page of a list, if there is one (RFC 8288)
 * @param tag the version of what was asked for, if there is one ({@code ETag})
 */
public record ApiResponse(URI from, byte[] body, Optional<URI> next, Optional<String> tag) {
    /**
     * The body as a value; an empty body is an empty object.
     *
     * @throws CoordinatorUnavailableException if it has another type
     */
    public <T> T as(Class<T> type) {
        return as(Json.mapper().constructType(type));
    }

    /**
     * The body as a list.
     *
     * @throws CoordinatorUnavailableException if it has another type
     */
    public <T> List<T> list(Class<T> type) {
        return as(Json.mapper().getTypeFactory().constructCollectionType(List.class, type));
    }

    private <T> T as(JavaType type) {
        try {
            return Json.mapper().convertValue(tree(), type);
        } catch (IllegalArgumentException e) {
            throw new CoordinatorUnavailableException(
                    "the server at " + from + " is not a Trawl coordinator, or one of another version");
        }
    }

    /** The body as a tree. */
    JsonNode tree() {
        try {
            return body.length == 0 ? Json.mapper().createObjectNode() : Json.mapper().readTree(body);
        } catch (IOException e) {
            throw new CoordinatorUnavailableException(
                    "the server at " + from + " is not a Trawl coordinator: its answer is not JSON");
        }
    }
}
