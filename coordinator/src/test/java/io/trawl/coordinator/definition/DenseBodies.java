package io.trawl.coordinator.definition;

import io.trawl.admission.Admission;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.definition.CrawlVariables;
import io.trawl.model.CrawlId;
import io.trawl.model.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reads bodies as the REST interface does, one after the other, and prints the problem of each in a line. */
public final class DenseBodies {
    private DenseBodies() {}

    /** @param args of each body its kind and its size */
    public static void main(String[] args) {
        for (String arg : args) {
            String[] what = arg.split(" ");
            System.out.println("read " + arg + ": " + problem(what[0], body(what[0], Integer.parseInt(what[1]))));
        }
    }

    private static String problem(String kind, byte[] body) {
        try {
            if (kind.equals("list") || kind.equals("nulls")) {
                return "none, " + Json.readBounded(body, Seed[].class).length + " seeds";
            }
            WrittenDefinition
                    .read(kind.startsWith("yaml") ? DefinitionText.yaml(body) : DefinitionText.json(body),
                            new CrawlVariables(Map.of()))
                    .complete(new CrawlId("docs"), new DefinitionRules(new Admission(2048), 3), Optional.empty());
            return "none";
        } catch (InvalidDefinitionException e) {
            return e.faults().size() + " faults: " + String.valueOf(e.getMessage()).replace("\n", "; ");
        } catch (MalformedRecordException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static byte[] body(String kind, int size) {
        String text = switch (kind) {
            case "definition" -> "{\"limits\":{\"depth\":\"x\"},\"seeds\":[" + "{},".repeat(size - 2) + "{}]}";
            case "unknown" ->
                IntStream.range(0, size).mapToObj(i -> "\"f" + i + "\":0").collect(Collectors.joining(",", "{", "}"));
            case "long" -> "{\"" + "x".repeat(size) + "\":0}";
            case "deep" -> "{\"seeds\":" + "[".repeat(size) + "]".repeat(size) + "}";
            case "yaml-many" -> "seeds: [" + "{},".repeat(size) + "{}]";
            case "yaml-seeds" -> "limits: {depth: x}\nseeds: [" + "{},".repeat(size - 2) + "{}]";
            case "list" -> "[" + "{},".repeat(size) + "{}]";
            default -> "[" + "null,".repeat(size) + "null]";
        };
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
