package io.trawl.coordinator.definition;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.trawl.definition.CrawlDefinition.Scope;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.coordinator.definition.DefinitionReferences.ResolvedText;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.codec.NearestName;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decodes what a user wrote. Leaves out each part that it cannot decode and reports it. It is generic over the records
 * of {@link CrawlDefinition}. An unknown field is a fault, too: it is misspelt or in the wrong group, and the option
 * would silently have its default.
 */
record DefinitionDecoder(FaultCollector faults) {
    /** The parts that can be decoded; the others are removed. */
    CrawlDefinition decode(ObjectNode written) {
        group("", written, CrawlDefinition.class);
        return Json.read(Json.bytes(written), CrawlDefinition.class);
    }

    /** Removes the fields that cannot be decoded as components of the record. */
    private void group(String path, ObjectNode written, Class<?> record) {
        written.properties().removeIf(field -> {
            Optional<RecordComponent> component = components(record).filter(c -> c.getName().equals(field.getKey()))
                    .findFirst();
            if (component.isEmpty()) {
                faults.add(() -> new Fault(path + DefinitionText.path("", field.getKey()), shown(field.getValue()),
                        unknown(path, field.getKey(), record)));
                return true;
            }
            return !read(path + field.getKey(), field.getValue(), component.get());
        });
    }

    private boolean read(String path, JsonNode given, RecordComponent component) {
        Class<?> part = part(component);
        JsonNode value = ResolvedText.as(part, given);
        boolean list = component.getType() == List.class;
        if (part.isRecord() && list && value instanceof ArrayNode elements) {
            return elements(path, elements, part);
        }
        if (part.isRecord() && !list && value instanceof ObjectNode group) {
            group(path + ".", group, part);
            return true;
        }
        if (!withoutNull(path, value)) {
            return false;
        }
        if (part.isRecord() && !list) {
            faults.add(() -> new Fault(path, shown(value), "an object with the fields " + names(part)));
            return false;
        }
        if (component.getAccessor().isAnnotationPresent(JsonFormat.class) && value.asText().equals(Scope.SEEDS)) {
            return true;
        }
        if (list && !value.isArray()) {
            faults.add(() -> new Fault(path, shown(value),
                    "a list, such as [" + (value.isTextual() ? value : "...") + "]"));
            return false;
        }
        return readable(path, value, Json.mapper().constructType(component.getGenericType()));
    }

    /**
     * No value of a definition is null, how deep it may stand: rules and steps need not expect one. Fields that are
     * null are left out.
     */
    private boolean withoutNull(String path, JsonNode value) {
        if (value.isNull()) {
            faults.add(() -> new Fault(path, "null",
                    "another value than null" + (path.endsWith("]") ? "" : "; leave the field out for its default")));
            return false;
        }
        value.properties().removeIf(field -> !withoutNull(DefinitionText.path(path, field.getKey()), field.getValue()));
        boolean without = true;
        for (int place = 0; place < value.size() && value.isArray(); place++) {
            without &= withoutNull(DefinitionText.path(path, place), value.get(place));
        }
        return without;
    }

    /** Whether the list can be read without the elements that cannot. */
    private boolean elements(String path, ArrayNode list, Class<?> record) {
        boolean complete = true;
        JavaType type = Json.mapper().constructType(record);
        // Once, since a list may have a hundred thousand seeds.
        Map<String, Class<?>> parts = new LinkedHashMap<>();
        Iterator<RecordComponent> components = components(record).iterator();
        Json.fields(record).forEach(name -> parts.put(name, part(components.next())));
        for (int place = 0; place < list.size(); place++) {
            String at = path + "[" + place + "]";
            JsonNode element = list.get(place);
            if (element instanceof ObjectNode object) {
                removeUnknown(at + ".", object, parts.keySet(), record);
                object.properties().forEach(field -> field
                        .setValue(ResolvedText.as(requireNonNull(parts.get(field.getKey())), field.getValue())));
            }
            // Both, in any case: each reports its own faults.
            if (!withoutNull(at, element) | !readable(at, element, type)) {
                // The other elements keep their indices.
                list.set(place, Json.mapper().createObjectNode());
                complete = false;
            }
        }
        // An element with required fields has no empty form in whose place rules could be checked.
        return complete || Json.fault(Json.mapper().createObjectNode(), type).isEmpty();
    }

    /** All of them are reported, and the others are still read. */
    private void removeUnknown(String path, ObjectNode written, Set<String> known, Class<?> record) {
        written.properties().removeIf(field -> {
            boolean unknown = !known.contains(field.getKey());
            if (unknown) {
                faults.add(() -> new Fault(path + DefinitionText.path("", field.getKey()), shown(field.getValue()),
                        Json.fieldRule(field.getKey(), record)));
            }
            return unknown;
        });
    }

    /** Leaves out each innermost part that cannot be read, and reports it. @return whether the rest can be read */
    private boolean readable(String path, JsonNode value, JavaType type) {
        if (type.isReferenceType()) {
            return readable(path, value, type.getContentType());
        }
        Optional<Fault> fault = Json.fault(value, type);
        if (fault.isEmpty()) {
            return true;
        }
        long before = faults.count();
        if (value instanceof ObjectNode object) {
            object.properties()
                    .removeIf(field -> part(type, field.getKey())
                            .filter(of -> !readable(DefinitionText.path(path, field.getKey()), field.getValue(), of))
                            .isPresent());
        }
        for (int place = 0; place < value.size() && value.isArray() && type.isCollectionLikeType(); place++) {
            readable(DefinitionText.path(path, place), value.get(place), type.getContentType());
        }
        if (faults.count() == before) {
            faults.add(() -> fault.get().of(path + fault.get().field()));
        }
        return Json.fault(value, type).isEmpty();
    }

    /** The type of a field of an object; empty if it has no such field. */
    private static Optional<JavaType> part(JavaType type, String field) {
        if (type.isMapLikeType()) {
            return Optional.of(type.getContentType());
        }
        Class<?> record = type.getRawClass();
        int place = record.isRecord() ? Json.fields(record).toList().indexOf(field) : -1;
        return place < 0
                ? Optional.empty()
                : components(record).skip(place).findFirst()
                        .map(component -> Json.mapper().constructType(component.getGenericType()));
    }

    private static String shown(JsonNode value) {
        return value.isTextual() ? value.asText() : value.toString();
    }

    private static String unknown(String path, String name, Class<?> record) {
        // A single value was rather meant for a field that is no list.
        Stream<String> fields = Stream.of(false, true).flatMap(lists -> paths("", CrawlDefinition.class, lists))
                .sorted(Comparator.comparing((String field) -> !field.startsWith(path)));
        // Names are compared without their groups: limits.depth is the nearest to a misplaced deph.
        return "one of the fields " + names(record)
                + fields.filter(field -> typos(name, field) <= NearestName.MOST_TYPOS)
                        .min(Comparator.comparingInt(field -> typos(name, field)))
                        .map(field -> "; did you mean " + field + "?").orElse("");
    }

    /** The paths of the fields of a record and of its groups that are lists, or of the others: {@code limits.depth}. */
    private static Stream<String> paths(String prefix, Class<?> record, boolean lists) {
        return components(record).flatMap(c -> {
            boolean list = c.getType() == List.class;
            Stream<String> own = list == lists ? Stream.of(prefix + c.getName()) : Stream.of();
            return !list && part(c).isRecord()
                    ? Stream.concat(own, paths(prefix + c.getName() + ".", part(c), lists))
                    : own;
        });
    }

    private static int typos(String name, String path) {
        return NearestName.typos(name, path.substring(path.lastIndexOf('.') + 1));
    }

    private static String names(Class<?> record) {
        return Json.fields(record).sorted().collect(Collectors.joining(", "));
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
