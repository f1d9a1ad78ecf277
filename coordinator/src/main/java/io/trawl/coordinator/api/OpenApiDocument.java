package io.trawl.coordinator.api;

import io.trawl.http.Call;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.trawl.codec.Json;
import io.trawl.coordinator.definition.InvalidDefinitionException;
import io.trawl.http.CallRefusedException;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.codec.NearestName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The description of the REST interface, written by hand; a test holds it and the routes together. What a call may say
 * is read from it: the names of query parameters, their values if there are only some, and the media types of answers.
 * So a new route needs its description, and no checks of its own. Immutable.
 */
final class OpenApiDocument {
    private final byte[] yaml;
    private final JsonNode document;
    private final Map<String, Operation> operations = new HashMap<>();

    /**
     * What a call may say.
     *
     * @param parameters of the query, each with its valid values; empty if they are not listed
     * @param emptiable those of them that may be empty; any other would be as good as left out, and widen the call
     * @param types the media types of its answers that are no problems
     */
    private record Operation(Map<String, Set<String>> parameters, Set<String> emptiable, Set<String> types) {}

    private OpenApiDocument(byte[] yaml, JsonNode document) {
        this.yaml = yaml;
        this.document = document;
        document.path("paths").properties().forEach(path -> path.getValue().properties().forEach(method -> operations
                .put(method.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey(), operation(method.getValue()))));
    }

    /** The document of the class path. */
    static OpenApiDocument read() {
        try (InputStream in = OpenApiDocument.class.getResourceAsStream("/openapi.yaml")) {
            if (in == null) {
                throw new IllegalStateException("openapi.yaml is not on the class path");
            }
            byte[] yaml = in.readAllBytes();
            return new OpenApiDocument(yaml, new YAMLMapper().readTree(yaml));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As it was written. */
    byte[] yaml() {
        return yaml;
    }

    /** The same document as JSON. */
    byte[] json() {
        return Json.bytes(document);
    }

    /**
     * Checks what a call says before its body.
     *
     * @throws InvalidDefinitionException 400 for query parameters that it does not have
     * @throws CallRefusedException 406 if it accepts nothing that it is answered with
     */
    void check(Call call) {
        Operation operation = operations.get(call.route().method() + " " + call.route().path());
        if (operation == null) {
            return;
        }
        List<Fault> faults = new ArrayList<>();
        call.query().forEach((name, values) -> fault(operation, name, values).ifPresent(faults::add));
        if (!faults.isEmpty()) {
            throw new InvalidDefinitionException(faults, 0);
        }
        String accept = call.header("Accept").orElse("");
        boolean chosen = call.query().containsKey("format") || operation.types().isEmpty() || accept.isBlank();
        if (!chosen && operation.types().stream().noneMatch(type -> accepts(accept, type))) {
            throw new CallRefusedException(406,
                    "Accept: '" + accept + "' is not valid: the answer is " + String.join(" or ", operation.types()));
        }
    }

    private static Optional<Fault> fault(Operation operation, String name, List<String> values) {
        Set<String> valid = operation.parameters().get(name);
        String value = String.join(", ", values);
        if (valid == null) {
            return Optional.of(new Fault(name, value,
                    operation.parameters().isEmpty()
                            ? "this call has no query parameters"
                            : "one of the query parameters "
                                    + String.join(", ", new TreeSet<>(operation.parameters().keySet()))
                                    + NearestName.hint(name, operation.parameters().keySet().stream())));
        }
        if (values.size() > 1) {
            return Optional.of(new Fault(name, value, "given once"));
        }
        if (value.isEmpty()) {
            return operation.emptiable().contains(name)
                    ? Optional.empty()
                    : Optional.of(new Fault(name, value, "a value, or else left out"));
        }
        return valid.isEmpty() || valid.contains(value)
                ? Optional.empty()
                : Optional.of(new Fault(name, value,
                        "one of " + String.join(", ", valid) + NearestName.hint(value, valid.stream())));
    }

    /** Whether a header field {@code Accept} (RFC 9110, section 12.5.1) allows a media type. */
    private static boolean accepts(String accept, String type) {
        for (String range : accept.toLowerCase(Locale.ROOT).split(",")) {
            String[] parts = range.split(";");
            String wanted = parts[0].strip();
            boolean matches = wanted.equals("*/*") || wanted.equals(type)
                    || wanted.endsWith("/*") && type.startsWith(wanted.substring(0, wanted.length() - 1));
            boolean refused = List.of(parts).stream().map(String::strip).anyMatch(p -> p.matches("q=0(\\.0*)?"));
            if (matches && !refused) {
                return true;
            }
        }
        return false;
    }

    private Operation operation(JsonNode written) {
        List<JsonNode> queried = written.path("parameters").valueStream().map(this::resolved)
                .filter(p -> p.path("in").asText().equals("query")).toList();
        Map<String, Set<String>> parameters = new HashMap<>();
        queried.forEach(p -> parameters.put(p.path("name").asText(), values(resolved(p.path("schema")))));
        Set<String> emptiable = queried.stream().filter(p -> p.path("allowEmptyValue").asBoolean())
                .map(p -> p.path("name").asText()).collect(Collectors.toSet());
        Set<String> types = new TreeSet<>();
        written.path("responses").properties().stream().filter(response -> response.getKey().startsWith("2")).forEach(
                response -> resolved(response.getValue()).path("content").fieldNames().forEachRemaining(types::add));
        return new Operation(parameters, emptiable, types);
    }

    private static Set<String> values(JsonNode schema) {
        return schema.path("type").asText().equals("boolean")
                ? new TreeSet<>(Set.of("true", "false"))
                : schema.path("enum").valueStream().map(JsonNode::asText)
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
    }
}
