package io.trawl.coordinator.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import org.junit.jupiter.api.Test;

class ItemCallsTest {
    @Test
    void aBriefItemHasItsUrlHoweverLongThatIs() {
        String url = "http://a.example/" + "x".repeat(2000);
        JsonNode brief = ItemCalls.shortened(Json.mapper().createObjectNode().put("url", url)
                .put("text", "y".repeat(2000)).put("status", 200).set("links", Json.mapper().createArrayNode()));
        assertThat(brief).isEqualTo(Json.mapper().createObjectNode().put("url", url).put("status", 200));
    }
}
