package io.trawl.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.trawl.codec.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The OpenAPI document, which checks responses against itself and records those that it has seen. */
public final class ApiDocument {
    private static final Set<String> METHODS = Set.of("get", "put", "post", "patch", "delete");
    private final JsonNode document;
    private final SchemaRegistry schemas = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private final Set<String> operations = new TreeSet<>();
    private final Set<Integer> statuses = new TreeSet<>();

    public ApiDocument() {
        try {
            document = new YAMLMapper().readTree(ApiDocument.class.getResourceAsStream("/openapi.yaml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Method and path of each operation. */
    public List<String> operations() {
        List<String> all = new ArrayList<>();
        document.path("paths").properties().forEach(path -> path.getValue().fieldNames().forEachRemaining(method -> {
            if (METHODS.contains(method)) {
                all.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey());
            }
        }));
        return all.stream().sorted().toList();
    }

    /** Every status that any operation may answer with. */
    Set<Integer> documented() {
        Set<Integer> all = new TreeSet<>();
        document.path("paths").forEach(path -> path.forEach(operation -> operation.path("responses").fieldNames()
                .forEachRemaining(status -> all.add(Integer.valueOf(status)))));
        return all;
    }

    Set<String> seenOperations() {
        return operations;
    }

    Set<Integer> seenStatuses() {
        return statuses;
    }

    /**
     * Asserts that the response is documented, and its body is as documented.
     *
     * @param path may have a query
     */
    void check(String method, String path, int status, String type, String body) throws IOException {
        String template = template(path.replaceFirst("\\?.*", ""));
        String operation = method + " " + template;
        JsonNode responses = document.path("paths").path(template).path(method.toLowerCase(Locale.ROOT))
                .path("responses");
        JsonNode response = resolved(responses.path(Integer.toString(status)));
        assertThat(response.isMissingNode()).as("%s answers %d, which is not documented: %s", operation, status, body)
                .isFalse();
        operations.add(operation);
        statuses.add(status);
        if (!response.has("content")) {
            assertThat(body).as(operation).isEmpty();
            return;
        }
        String plain = type.split(";", 2)[0];
        assertThat(response.path("content").has(plain)).as("%s answers %s: %s", operation, type, body).isTrue();
        if (plain.endsWith("json")) {
            ObjectNode schema = response.path("content").path(plain).path("schema").deepCopy();
            schema.set("components", document.path("components"));
            assertThat(schemas.getSchema(schema).validate(Json.mapper().readTree(body))).as("%s: %s", operation, body)
                    .isEmpty();
        }
    }

    /** The path in the document that a path is an example of; one without variables comes first. */
    private String template(String path) {
        return document.path("paths").propertyStream().map(Map.Entry::getKey)
                .filter(template -> path.matches(template.replaceAll("\\{[^}]+}", "[^/]+")))
                .min(Comparator.comparing(template -> template.contains("{")))
                .orElseThrow(() -> new AssertionError(path + " is not documented"));
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
    }
}
