package io.trawl.coordinator.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.control.CrawlDefinition;
import io.trawl.model.CrawlId;
import io.trawl.model.EditDistance;
import io.trawl.model.InvalidValueException.Fault;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A definition as a user wrote it (S13). The reader leaves out each part that it cannot decode and reports it, so that
 * the rules can still check the rest. It is generic over the records of {@link CrawlDefinition}. An unknown field is a
 * fault, too: it is misspelt or in the wrong group, and the option would silently have its default.
 *
 * @param definition the decoded parts
 * @param faults the first parts that cannot be decoded
 * @param more the number of further such parts
 */
public record WrittenDefinition(CrawlDefinition definition, List<Fault> faults, long more) {
    private static final int MOST_TYPOS = 2;
    /** Twice the longest name of a field; the distance to a longer one costs time and is not small. */
    private static final int LONGEST_NAME = 40;
    private static final String IS_NOT_VALID = " is not valid: ";

    /** @throws MalformedRecordException if the input is not a JSON object */
    public static WrittenDefinition read(byte[] json) {
        ObjectNode written = Json.readBounded(json, ObjectNode.class);
        FaultCollector faults = new FaultCollector();
        group("", written, CrawlDefinition.class, faults);
        return new WrittenDefinition(Json.read(Json.bytes(written), CrawlDefinition.class), faults.faults(), faults.more());
    }

    /**
     * The definition, if it has no faults.
     *
     * @param rules checked against the decoded parts if there are faults, so that all faults are reported
     * @param known the previous definition of the crawl
     * @throws InvalidDefinitionException with every fault
     */
    public CrawlDefinition complete(CrawlId crawl, DefinitionRules rules, Optional<CrawlDefinition> known) {
        if (faults.isEmpty()) {
            return definition;
        }
        FaultCollector all = new FaultCollector();
        all.addAll(faults, more);
        try {
            rules.check(crawl, known.map(definition::withSecretsOf).orElse(definition));
        } catch (InvalidDefinitionException e) {
            all.addAll(e.faults().stream()
                    .filter(f -> faults.stream().noneMatch(unread -> f.field().startsWith(unread.field() + "."))).toList(),
                    e.more());
        }
        throw new InvalidDefinitionException(all.faults(), all.more());
    }

    /** Removes the fields that cannot be decoded as components of the record. */
    private static void group(String path, ObjectNode written, Class<?> record, FaultCollector faults) {
        Iterator<Map.Entry<String, JsonNode>> fields = written.properties().iterator();
        while (fields.hasNext()) {
            Map.Entry<String, JsonNode> field = fields.next();
            String name = path + field.getKey();
            Optional<RecordComponent> component = components(record).filter(c -> c.getName().equals(field.getKey())).findFirst();
            if (component.isEmpty()) {
                faults.add(() -> new Fault(name, shown(field.getValue()), unknown(path, field.getKey(), record)));
                fields.remove();
            } else if (!read(name, field.getKey(), field.getValue(), component.get(), faults)) {
                fields.remove();
            }
        }
    }

    private static boolean read(String path, String name, JsonNode value, RecordComponent component, FaultCollector faults) {
        Class<?> part = part(component);
        boolean list = component.getType() == List.class;
        if (part.isRecord() && list && value instanceof ArrayNode elements) {
            elements(path, elements, part, faults);
            return true;
        }
        if (part.isRecord() && !list && value instanceof ObjectNode group) {
            group(path + ".", group, part, faults);
            return true;
        }
        if (part.isRecord() && !list && !value.isNull()) {
            faults.add(() -> new Fault(path, shown(value), "an object with the fields " + names(part)));
            return false;
        }
        return readable(path, value, Json.mapper().createObjectNode().set(name, value), component.getDeclaringRecord(), faults);
    }

    private static void elements(String path, ArrayNode list, Class<?> record, FaultCollector faults) {
        for (int place = 0; place < list.size(); place++) {
            if (!readable(path + "[" + place + "]", list.get(place), list.get(place), record, faults)) {
                // The other elements keep their indices.
                list.set(place, Json.mapper().createObjectNode());
            }
        }
    }

    private static boolean readable(String path, JsonNode value, JsonNode json, Class<?> record, FaultCollector faults) {
        try {
            Json.read(Json.bytes(json), record);
            return true;
        } catch (MalformedRecordException e) {
            faults.add(() -> new Fault(path, shown(value), rule(e)));
            return false;
        }
    }

    private static String shown(JsonNode value) {
        return value.isTextual() ? value.asText() : value.toString();
    }

    /** The rule in the exception's message, or else the whole message. */
    private static String rule(MalformedRecordException e) {
        String message = String.valueOf(e.getMessage());
        int rule = message.indexOf(IS_NOT_VALID);
        return rule < 0 ? message : message.substring(rule + IS_NOT_VALID.length());
    }

    private static String unknown(String path, String name, Class<?> record) {
        Optional<String> nearest = Stream.of(name).filter(n -> n.length() <= LONGEST_NAME)
                .flatMap(_ -> paths("", CrawlDefinition.class)).filter(field -> typos(name, field) <= MOST_TYPOS)
                .min(Comparator.<String>comparingInt(field -> typos(name, field))
                        .thenComparing(field -> !field.startsWith(path)));
        return "one of the fields " + names(record) + nearest.map(field -> "; did you mean " + field + "?").orElse("");
    }

    /** The paths of the fields of a record and of its groups: {@code limits.depth}. */
    private static Stream<String> paths(String prefix, Class<?> record) {
        return components(record).flatMap(c -> c.getType() != List.class && part(c).isRecord()
                ? Stream.concat(Stream.of(prefix + c.getName()), paths(prefix + c.getName() + ".", part(c)))
                : Stream.of(prefix + c.getName()));
    }

    /** The edit distance (Levenshtein) between a name and the last part of a path, ignoring case. */
    private static int typos(String name, String path) {
        return EditDistance.between(name, path.substring(path.lastIndexOf('.') + 1));
    }

    private static String names(Class<?> record) {
        return components(record).map(RecordComponent::getName).sorted().collect(Collectors.joining(", "));
    }

    private static Stream<RecordComponent> components(Class<?> record) {
        return Arrays.stream(record.getRecordComponents());
    }

    /** The type of a component, or the element type of its list or {@code Optional}. */
    private static Class<?> part(RecordComponent component) {
        return component.getGenericType() instanceof ParameterizedType generic
                && generic.getActualTypeArguments()[0] instanceof Class<?> held ? held : component.getType();
    }
}
