package io.trawl.coordinator.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.coordinator.ApiDocument;
import io.trawl.settings.SettingsReader;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OpenApiTest {
    @Test
    void theDocumentAndTheRoutesNameTheSameOperations() {
        ApiEndpoint endpoint = new ApiEndpoint(SettingsReader.from(Map.of()));
        try {
            assertThat(new ApiDocument().operations()).containsExactlyElementsOf(endpoint.routes());
        } finally {
            endpoint.close();
        }
    }
}
