package io.trawl.coordinator.lifecycle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecord;
import io.trawl.control.CrawlDefinition;
import io.trawl.model.CrawlId;
import io.trawl.model.Seed;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A definition as a user wrote it (S13): what cannot be read of it is left out and named, all of it, so that the rules can still be asked about the rest.
 * A field that is no field of a definition is a fault, too: it is misspelt, and what was wished for would silently not happen.
 *
 * @param definition what can be read
 * @param faults what cannot
 */
public record WrittenDefinition(CrawlDefinition definition, List<Fault> faults) {
    private static final String SEEDS = "seeds";
    private static final List<String> FIELDS = Arrays.stream(CrawlDefinition.class.getRecordComponents())
            .map(RecordComponent::getName).sorted().toList();

    /** @throws MalformedRecord if it is no JSON object at all */
    public static WrittenDefinition read(byte[] json) {
        ObjectNode written = Json.read(json, ObjectNode.class);
        List<Fault> faults = new ArrayList<>();
        Iterator<Map.Entry<String, JsonNode>> fields = written.properties().iterator();
        while (fields.hasNext()) {
            Map.Entry<String, JsonNode> field = fields.next();
            String name = field.getKey();
            if (!FIELDS.contains(name)) {
                faults.add(new Fault(name, field.getValue().toString(), "one of the fields " + String.join(", ", FIELDS)));
                fields.remove();
            } else if (name.equals(SEEDS) && field.getValue().isArray()) {
                seeds(field.getValue(), faults);
            } else if (!readable(name, field.getValue(), Json.mapper().createObjectNode().set(name, field.getValue()),
                    CrawlDefinition.class, faults)) {
                fields.remove();
            }
        }
        return new WrittenDefinition(Json.read(Json.bytes(written), CrawlDefinition.class), List.copyOf(faults));
    }

    /**
     * The definition, if all of it can be read.
     *
     * @param rules asked about what can be read, if something cannot
     * @param known what the crawl has been defined as before
     * @throws InvalidDefinition with every fault
     */
    public CrawlDefinition complete(CrawlId crawl, DefinitionRules rules, Optional<CrawlDefinition> known) {
        if (faults.isEmpty()) {
            return definition;
        }
        List<Fault> all = new ArrayList<>(faults);
        try {
            rules.check(crawl, known.map(definition::withSecretsOf).orElse(definition));
        } catch (InvalidDefinition e) {
            e.faults().stream().filter(f -> faults.stream().noneMatch(unread -> f.field().startsWith(unread.field() + ".")))
                    .forEach(all::add);
        }
        throw new InvalidDefinition(all);
    }

    private static void seeds(JsonNode list, List<Fault> faults) {
        for (int place = 0; place < list.size(); place++) {
            if (!readable(seed(place), list.get(place), list.get(place), Seed.class, faults)) {
                // The others keep their places.
                ((ArrayNode) list).set(place, Json.mapper().createObjectNode());
            }
        }
    }

    private static String seed(int place) {
        return SEEDS + "[" + place + "]";
    }

    private static boolean readable(String field, JsonNode value, JsonNode json, Class<?> type, List<Fault> faults) {
        try {
            Json.read(Json.bytes(json), type);
            return true;
        } catch (MalformedRecord e) {
            faults.add(new Fault(field, value.isTextual() ? value.asText() : value.toString(), rule(e)));
            return false;
        }
    }

    /** What the values themselves say about it, or else what the reader does. */
    private static String rule(MalformedRecord e) {
        String message = String.valueOf(e.getMessage());
        int rule = message.indexOf(" is not valid: ");
        return rule < 0 ? message : message.substring(rule + " is not valid: ".length());
    }
}
