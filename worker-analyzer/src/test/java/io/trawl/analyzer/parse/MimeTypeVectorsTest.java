package io.trawl.analyzer.parse;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.charset.DecodedText;
import io.trawl.codec.Json;
import io.trawl.model.Response;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The vectors of web-platform-tests for {@code Content-Type}; the README beside the data has their source. */
class MimeTypeVectorsTest {
    private static final byte[] BODY = "plain words".getBytes(StandardCharsets.US_ASCII);

    private static JsonNode read(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(MimeTypeVectorsTest.class.getResourceAsStream(name), name)) {
            return Json.mapper().readTree(in);
        }
    }

    private static String ours(String header) {
        Response response = Fixtures.page("http://example.org/",
                Map.of("content-type", header, "x-content-type-options", "nosniff"), BODY);
        return MediaTypes.of(response) + " " + DecodedText.of(BODY, MediaTypes.header(response)).charset();
    }

    /** A type that is none is found by the body. */
    private static String theirs(JsonNode vector) {
        String essence = vector.path("output").asText("text/plain").replaceFirst("(?s);.*", "");
        return (vector.path("output").isNull() ? "text/plain" : essence) + " "
                + (vector.path("encoding").isTextual() ? vector.path("encoding").asText() : "UTF-8");
    }

    @Test
    void eachTypeAndCharsetIsThatOfTheVectorsOrItsDifferenceHasAReason() throws IOException {
        Map<String, String> different = new TreeMap<>();
        for (String file : new String[]{"mime-types.json", "generated-mime-types.json"}) {
            for (JsonNode vector : read(file)) {
                String input = vector.path("input").asText();
                if (vector.isObject() && !ours(input).equalsIgnoreCase(theirs(vector))) {
                    different.put(input, ours(input) + " and not " + theirs(vector));
                }
            }
        }
        assertThat(different.keySet()).as(different.toString())
                .containsExactlyInAnyOrderElementsOf(() -> listed().fieldNames());
    }

    private static JsonNode listed() {
        try {
            return read("mime-types-differences.json");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
