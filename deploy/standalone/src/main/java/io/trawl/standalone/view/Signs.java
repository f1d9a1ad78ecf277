package io.trawl.standalone.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.standalone.CoordinatorClient.Unavailable;
import io.trawl.standalone.client.Api;
import java.util.Optional;

/** The stop signs of a deployment, where they are only a part of what is shown. */
final class Signs {
    private Signs() {}

    /** All of them; empty if the coordinator cannot say, which must not keep the rest from being shown. */
    static Optional<JsonNode> all(Api api) throws InterruptedException {
        try {
            return Optional.of(api.get("/api/stop-signs").json());
        } catch (Unavailable e) {
            return Optional.empty();
        }
    }
}
