package io.trawl.coordinator.definition;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.trawl.definition.CrawlDefinition.Scope;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlVariables;
import io.trawl.coordinator.definition.DefinitionReferences.ResolvedText;
import io.trawl.coordinator.definition.DefinitionText.Place;
import io.trawl.model.CrawlId;
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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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
 * @param text what the user wrote, in which faults have their places
 */
public record WrittenDefinition(CrawlDefinition definition, List<Fault> faults, long more,
        Optional<DefinitionText> text) {
    /** A definition without faults that no user wrote. */
    public static WrittenDefinition of(CrawlDefinition definition) {
        return new WrittenDefinition(definition, List.of(), 0, Optional.empty());
    }

    /**
     * Reads a text.
     *
     * @param variables for values that are no secrets
     * @throws MalformedRecordException if it is no object
     */
    public static WrittenDefinition read(DefinitionText text, CrawlVariables variables) {
        FaultCollector faults = new FaultCollector();
        return read(object(text, variables, faults), text, faults);
    }

    private static WrittenDefinition read(ObjectNode written, DefinitionText text, FaultCollector faults) {
        group("", written, CrawlDefinition.class, faults);
        return new WrittenDefinition(Json.read(Json.bytes(written), CrawlDefinition.class), faults.faults(),
                faults.more(), Optional.of(text));
    }

    /**
     * A definition with changes by a merge patch (RFC 7396): groups are merged, other values are replaced, and null
     * stands for the default.
     *
     * @param known as it is changed; its hidden values stand for themselves
     * @param variables for values that are no secrets
     * @throws MalformedRecordException if the patch is no object
     */
    public static WrittenDefinition patched(CrawlDefinition known, DefinitionText patch, CrawlVariables variables) {
        FaultCollector faults = new FaultCollector();
        ObjectNode merged = Json.mapper().valueToTree(known.hidden());
        merge(merged, object(patch, variables, faults));
        return read(merged, patch, faults);
    }

    /** What a user wrote. A text as {@code fetch} is the name of the fetcher. */
    private static ObjectNode object(DefinitionText text, CrawlVariables variables, FaultCollector faults) {
        ObjectNode written = text.tree(faults);
        new DefinitionReferences(variables, faults).resolve(written);
        if (written.get("fetch") instanceof TextNode fetcher) {
            written.putObject("fetch").set("fetcher", fetcher);
        }
        return written;
    }

    private static void merge(ObjectNode target, ObjectNode patch) {
        patch.properties().forEach(field -> {
            if (field.getValue().isNull()) {
                target.remove(field.getKey());
            } else if (field.getValue() instanceof ObjectNode group) {
                ObjectNode into = target.get(field.getKey()) instanceof ObjectNode known ? known : target.objectNode();
                merge(into, group);
                target.set(field.getKey(), into);
            } else {
                target.set(field.getKey(), field.getValue());
            }
        });
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
        try {
            rules.check(crawl, known.map(definition::withSecretsOf).orElse(definition));
        } catch (InvalidDefinitionException e) {
            throw with(e);
        }
        throw new InvalidDefinitionException(faults, more);
    }

    /** The parts that cannot be decoded, and the rules that others break. */
    private InvalidDefinitionException with(InvalidDefinitionException broken) {
        FaultCollector all = new FaultCollector();
        all.addAll(faults, more);
        all.addAll(
                broken.faults().stream().filter(f -> faults.stream().noneMatch(unread -> causes(unread, f))).toList(),
                broken.more());
        return new InvalidDefinitionException(all.faults(), all.more());
    }

    /**
     * Whether a rule may be broken since a part was left out: it is about that, what is around it, or what was not
     * given.
     */
    private static boolean causes(Fault unread, Fault broken) {
        String element = outer(broken.field());
        return around(broken.field(), unread.field()) || around(unread.field(), broken.field())
                || broken.value().isEmpty() && element.endsWith("]") && around(element, unread.field());
    }

    private static boolean around(String part, String other) {
        return part.equals(other) || other.startsWith(part + ".");
    }

    /**
     * Checks a definition that was made of this one by changes.
     *
     * @throws InvalidDefinitionException with every fault of both, those of this text with their places
     */
    public void check(CrawlId crawl, CrawlDefinition changed, DefinitionRules rules) {
        try {
            rules.check(crawl, changed);
        } catch (InvalidDefinitionException e) {
            throw placed(with(e));
        }
        if (!faults.isEmpty()) {
            throw placed(new InvalidDefinitionException(faults, more));
        }
    }

    /**
     * The same faults with their places in the text: of the field, or else of the innermost part around it that is
     * there.
     */
    public InvalidDefinitionException placed(InvalidDefinitionException invalid) {
        if (text.isEmpty()) {
            return invalid;
        }
        Set<String> wanted = invalid.faults().stream()
                .flatMap(f -> Stream.iterate(f.field(), p -> !p.isEmpty(), WrittenDefinition::outer))
                .collect(Collectors.toSet());
        Map<String, Place> places = text.get().places(wanted);
        return invalid.named(fault -> fault.line().isPresent()
                ? fault
                : Stream.iterate(fault.field(), p -> !p.isEmpty(), WrittenDefinition::outer).map(places::get)
                        .filter(Objects::nonNull).findFirst().map(at -> fault.at(at.line(), at.column()))
                        .orElse(fault));
    }

    /** {@code seeds[0]} for {@code seeds[0].url}; nothing for {@code seeds}. */
    private static String outer(String path) {
        return path.substring(0, Math.max(0, Math.max(path.lastIndexOf('.'), path.lastIndexOf('['))));
    }

    /** Removes the fields that cannot be decoded as components of the record. */
    private static void group(String path, ObjectNode written, Class<?> record, FaultCollector faults) {
        Iterator<Map.Entry<String, JsonNode>> fields = written.properties().iterator();
        while (fields.hasNext()) {
            Map.Entry<String, JsonNode> field = fields.next();
            String name = path + field.getKey();
            Optional<RecordComponent> component = components(record).filter(c -> c.getName().equals(field.getKey()))
                    .findFirst();
            if (component.isEmpty()) {
                faults.add(() -> new Fault(path + DefinitionText.path("", field.getKey()), shown(field.getValue()),
                        unknown(path, field.getKey(), record)));
                fields.remove();
            } else if (!read(name, field.getValue(), component.get(), faults)) {
                fields.remove();
            }
        }
    }

    private static boolean read(String path, JsonNode given, RecordComponent component, FaultCollector faults) {
        Class<?> part = part(component);
        JsonNode value = ResolvedText.as(part, given);
        boolean list = component.getType() == List.class;
        if (part.isRecord() && list && value instanceof ArrayNode elements) {
            return elements(path, elements, part, faults);
        }
        if (part.isRecord() && !list && value instanceof ObjectNode group) {
            group(path + ".", group, part, faults);
            return true;
        }
        if (!withoutNull(path, value, faults)) {
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
        return readable(path, value, Json.mapper().constructType(component.getGenericType()), faults);
    }

    /**
     * No value of a definition is null, how deep it may stand: rules and steps need not expect one. Fields that are
     * null are left out.
     */
    private static boolean withoutNull(String path, JsonNode value, FaultCollector faults) {
        if (value.isNull()) {
            faults.add(() -> new Fault(path, "null",
                    "another value than null" + (path.endsWith("]") ? "" : "; leave the field out for its default")));
            return false;
        }
        value.properties()
                .removeIf(field -> !withoutNull(DefinitionText.path(path, field.getKey()), field.getValue(), faults));
        boolean without = true;
        for (int place = 0; place < value.size() && value.isArray(); place++) {
            without &= withoutNull(DefinitionText.path(path, place), value.get(place), faults);
        }
        return without;
    }

    /** Whether the list can be read without the elements that cannot. */
    private static boolean elements(String path, ArrayNode list, Class<?> record, FaultCollector faults) {
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
                removeUnknown(at + ".", object, parts.keySet(), record, faults);
                object.properties().forEach(field -> field
                        .setValue(ResolvedText.as(requireNonNull(parts.get(field.getKey())), field.getValue())));
            }
            // Both, in any case: each reports its own faults.
            if (!withoutNull(at, element, faults) | !readable(at, element, type, faults)) {
                // The other elements keep their indices.
                list.set(place, Json.mapper().createObjectNode());
                complete = false;
            }
        }
        // An element with required fields has no empty form in whose place rules could be checked.
        return complete || Json.fault(Json.mapper().createObjectNode(), type).isEmpty();
    }

    /** All of them are reported, and the others are still read. */
    private static void removeUnknown(String path, ObjectNode written, Set<String> known, Class<?> record,
            FaultCollector faults) {
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
    private static boolean readable(String path, JsonNode value, JavaType type, FaultCollector faults) {
        if (type.isReferenceType()) {
            return readable(path, value, type.getContentType(), faults);
        }
        Optional<Fault> fault = Json.fault(value, type);
        if (fault.isEmpty()) {
            return true;
        }
        long before = faults.count();
        if (value instanceof ObjectNode object) {
            object.properties()
                    .removeIf(field -> part(type, field.getKey()).filter(
                            of -> !readable(DefinitionText.path(path, field.getKey()), field.getValue(), of, faults))
                            .isPresent());
        }
        for (int place = 0; place < value.size() && value.isArray() && type.isCollectionLikeType(); place++) {
            readable(DefinitionText.path(path, place), value.get(place), type.getContentType(), faults);
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
