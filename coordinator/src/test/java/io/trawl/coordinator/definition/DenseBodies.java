package io.trawl.coordinator.definition;

import io.trawl.admission.Admission;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.control.CrawlVariables;
import io.trawl.model.CrawlId;
import io.trawl.model.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reads one body as the REST interface does, and prints the problem. */
public final class DenseBodies {
    private DenseBodies() {}

    /** @param args the kind of body and its size */
    public static void main(String[] args) {
        String[] what = args[0].split(" ");
        byte[] body = body(what[0], Integer.parseInt(what[1]));
        try {
            if (what[0].equals("list") || what[0].equals("nulls")) {
                System.out.println(Json.readBounded(body, Seed[].class).length);
                return;
            }
            WrittenDefinition
                    .read(what[0].startsWith("yaml") ? DefinitionText.yaml(body) : DefinitionText.json(body),
                            new CrawlVariables(Map.of()))
                    .complete(new CrawlId("docs"), new DefinitionRules(new Admission(2048), 3), Optional.empty());
        } catch (InvalidDefinitionException e) {
            System.out.println(e.faults().size() + " faults: " + e.getMessage());
        } catch (MalformedRecordException e) {
            System.out.println(e.getMessage());
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
