package io.trawl.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trawl.codec.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Records as a faulty or hostile writer may leave them: every field of a recorded one deleted or replaced by each of
 * some two dozen values, and the bytes cut or changed. Deterministic.
 */
public final class DamagedRecords {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int DEEP = 2_000;

    private DamagedRecords() {}

    /** The names of all recorded records; see {@code records/README.md}. */
    public static Stream<String> recorded() {
        return Stream.of("request", "response-page", "response-redirect", "response-http-error", "response-failure",
                "response-refused", "response-duplicate", "item", "ledger", "seed", "error", "control-crawl",
                "control-domains", "control-stop-crawl", "control-stop-fleet", "control-ends", "control-channels");
    }

    /** A recorded record. */
    public static byte[] recorded(String name) {
        try (InputStream in = DamagedRecords.class.getResourceAsStream("/records/" + name + ".json")) {
            return Optional.ofNullable(in).orElseThrow(() -> new AssertionError("no record " + name)).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * All damaged versions of a record; some of them are valid records by chance, as when an optional field is missing.
     */
    public static List<byte[]> of(byte[] record) {
        List<byte[]> damaged = new ArrayList<>();
        JsonNode tree = tree(record);
        for (List<String> path : paths(tree)) {
            damaged.add(bytes(without(tree, path)));
            others().forEach(other -> damaged.add(bytes(with(tree, path, other))));
            damaged.add(nested(tree, path));
        }
        Random random = new Random(7);
        for (int i = 0; i < 40; i++) {
            damaged.add(Arrays.copyOf(record, random.nextInt(record.length)));
            byte[] changed = record.clone();
            changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            damaged.add(changed);
            byte[] noise = new byte[random.nextInt(200)];
            random.nextBytes(noise);
            damaged.add(noise);
        }
        return damaged;
    }

    private static Stream<JsonNode> others() {
        return Stream.of(JSON.nullNode(), JSON.numberNode(-1), JSON.numberNode(0), JSON.numberNode(Integer.MIN_VALUE),
                JSON.numberNode(Integer.MAX_VALUE), JSON.numberNode(Long.MAX_VALUE), JSON.numberNode(Long.MIN_VALUE),
                JSON.numberNode(BigInteger.TEN.pow(60)), JSON.numberNode(1e300), JSON.numberNode(0.5),
                JSON.booleanNode(true), JSON.textNode(""), JSON.textNode("x"), JSON.textNode("-5"),
                JSON.textNode("é\n\t\u0000"), JSON.textNode("9".repeat(400)), JSON.textNode("x/2147483648"),
                JSON.textNode("999999999999h"), JSON.textNode("+1000000000-12-31T23:59:59.999999999Z"),
                JSON.textNode("-1000000000-01-01T00:00:00Z"), JSON.textNode("a".repeat(100_000)), JSON.arrayNode(),
                JSON.objectNode(), JSON.arrayNode().addNull(), JSON.objectNode().putNull("x"));
    }

    private static List<List<String>> paths(JsonNode tree) {
        List<List<String>> paths = new ArrayList<>();
        collect(tree, List.of(), paths);
        return paths;
    }

    private static void collect(JsonNode node, List<String> path, List<List<String>> paths) {
        if (!path.isEmpty()) {
            paths.add(path);
        }
        if (node instanceof ObjectNode object) {
            object.properties().forEach(field -> collect(field.getValue(), longer(path, field.getKey()), paths));
        } else {
            for (int i = 0; i < node.size(); i++) {
                collect(node.get(i), longer(path, Integer.toString(i)), paths);
            }
        }
    }

    private static List<String> longer(List<String> path, String step) {
        return Stream.concat(path.stream(), Stream.of(step)).toList();
    }

    private static JsonNode without(JsonNode tree, List<String> path) {
        JsonNode copy = tree.deepCopy();
        switch (parent(copy, path)) {
            case ObjectNode object -> object.remove(path.getLast());
            case ArrayNode array -> array.remove(Integer.parseInt(path.getLast()));
            case JsonNode other -> throw new AssertionError(other);
        }
        return copy;
    }

    private static JsonNode with(JsonNode tree, List<String> path, JsonNode value) {
        JsonNode copy = tree.deepCopy();
        switch (parent(copy, path)) {
            case ObjectNode object -> object.set(path.getLast(), value);
            case ArrayNode array -> array.set(Integer.parseInt(path.getLast()), value);
            case JsonNode other -> throw new AssertionError(other);
        }
        return copy;
    }

    private static JsonNode parent(JsonNode tree, List<String> path) {
        JsonNode node = tree;
        for (String step : path.subList(0, path.size() - 1)) {
            node = node.isArray() ? node.get(Integer.parseInt(step)) : node.get(step);
        }
        return node;
    }

    /** With an array of arrays in the place of a field, deeper than any parser should follow. */
    private static byte[] nested(JsonNode tree, List<String> path) {
        String marked = new String(bytes(with(tree, path, JSON.textNode("@deep@"))), StandardCharsets.UTF_8);
        return marked.replace("\"@deep@\"", "[".repeat(DEEP) + "]".repeat(DEEP)).getBytes(StandardCharsets.UTF_8);
    }

    private static JsonNode tree(byte[] record) {
        try {
            return Json.mapper().readTree(record);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] bytes(JsonNode tree) {
        return Json.bytes(tree);
    }
}
