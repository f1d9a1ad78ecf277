package io.trawl.standalone.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.standalone.CoordinatorClient.Unavailable;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;

/**
 * What a coordinator answered to a call that went well.
 *
 * @param from who answered
 * @param body as it came: UTF-8
 * @param next where the list goes on, if the answer is a part of one (RFC 8288)
 */
public record Answer(URI from, byte[] body, Optional<URI> next) {
    /**
     * The body as a tree; empty bodies are an empty object.
     *
     * @throws Unavailable if it is no JSON: whatever answers there is no coordinator
     */
    public JsonNode json() {
        try {
            return body.length == 0 ? Json.mapper().createObjectNode() : Json.mapper().readTree(body);
        } catch (IOException e) {
            throw new Unavailable("what answers at " + from + " is no coordinator of Trawl: it does not speak JSON");
        }
    }

    /**
     * The body as a value.
     *
     * @throws Unavailable if it is not one of this type
     */
    public <T> T as(Class<T> type) {
        try {
            return Json.mapper().treeToValue(json(), type);
        } catch (IOException | IllegalArgumentException e) {
            throw new Unavailable("what answers at " + from + " is no coordinator of Trawl, or of another version");
        }
    }
}
