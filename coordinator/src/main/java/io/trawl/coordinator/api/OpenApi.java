package io.trawl.coordinator.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The description of the REST interface, written by hand; a test holds it and the interface together. */
final class OpenApi {
    /** OpenAPI 3.1, as YAML. */
    static final String DOCUMENT = read();

    private OpenApi() {}

    private static String read() {
        try (InputStream in = OpenApi.class.getResourceAsStream("/openapi.yaml")) {
            if (in == null) {
                throw new IllegalStateException("openapi.yaml is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
