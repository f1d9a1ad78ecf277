package io.trawl.coordinator.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.control.CrawlDefinition;
import io.trawl.coordinator.ApiDocument;
import io.trawl.settings.SettingsReader;
import java.lang.reflect.ParameterizedType;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
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

    @Test
    void theDocumentDescribesEveryFieldOfADefinition() {
        assertThat(new ApiDocument().properties("CrawlDefinition"))
                .containsExactlyElementsOf(fields("", CrawlDefinition.class).toList());
    }

    private static Stream<String> fields(String prefix, Class<?> record) {
        return Arrays.stream(record.getRecordComponents()).flatMap(component -> {
            Class<?> type = component.getType() == Optional.class
                    ? (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0]
                    : component.getType();
            String name = prefix + component.getName();
            return type.isRecord() ? Stream.concat(Stream.of(name), fields(name + ".", type)) : Stream.of(name);
        });
    }
}
