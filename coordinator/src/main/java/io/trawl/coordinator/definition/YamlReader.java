package io.trawl.coordinator.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trawl.codec.MalformedRecordException;
import io.trawl.coordinator.definition.DefinitionText.Place;
import io.trawl.model.InvalidValueException.Fault;
import java.io.StringReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.DocumentEndEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingEndEvent;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceEndEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.events.StreamEndEvent;
import org.yaml.snakeyaml.events.StreamStartEvent;

/**
 * Reads one document of YAML into a tree, from the parser's events, so that no class is made by a tag. What a small
 * text can become is bounded: its levels, its values, and what its aliases repeat. One text only; not thread-safe.
 */
final class YamlReader {
    /** Those of JSON, {@link io.trawl.codec.Json#readBounded}. */
    static final int MOST_LEVELS = 32;
    static final int MOST_VALUES = 500_000;
    /** Values that aliases repeat. */
    static final int MOST_REPEATED = 10_000;
    private static final int SNIPPET = 20;
    private static final Pattern WHOLE = Pattern.compile("[-+]?[0-9]{1,1000}");
    private static final Pattern DECIMAL = Pattern
            .compile("[-+]?(\\.[0-9]{1,1000}|[0-9]{1,1000}(\\.[0-9]{0,1000})?)([eE][-+]?[0-9]{1,3})?");
    private final JsonNodeFactory nodes = JsonNodeFactory.instance;
    private final String text;
    private final Set<String> wanted;
    private final FaultCollector faults;
    private final Map<String, Place> places = new HashMap<>();
    private final Map<String, JsonNode> anchors = new HashMap<>();
    private final Iterator<Event> events;
    private int values;
    private int repeated;

    /**
     * @param wanted the paths whose places are asked for
     * @param faults receives names that are there twice; the first one counts
     */
    YamlReader(String text, Set<String> wanted, FaultCollector faults) {
        this.text = text;
        this.wanted = wanted;
        this.faults = faults;
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(Integer.MAX_VALUE);
        this.events = new Yaml(options).parse(new StringReader(text)).iterator();
    }

    /** @throws MalformedRecordException if it is no YAML, more or less than one object, or too large */
    ObjectNode read() {
        try {
            Event first = events.next();
            while (first instanceof StreamStartEvent || first instanceof DocumentStartEvent) {
                first = events.next();
            }
            JsonNode root = first instanceof StreamEndEvent ? nodes.nullNode() : value("", first, 1);
            Event after = first instanceof StreamEndEvent ? first : events.next();
            while (after instanceof DocumentEndEvent) {
                after = events.next();
            }
            if (!(after instanceof StreamEndEvent)) {
                throw malformed("---", "one document", after.getStartMark());
            }
            if (root instanceof ObjectNode object) {
                return object;
            }
            throw malformed(root.isArray() ? "[...]" : root.asText(),
                    "an object: lines such as seeds: [https://docs.example.org/]", first.getStartMark());
        } catch (MarkedYAMLException e) {
            Mark at = Optional.ofNullable(e.getProblemMark()).or(() -> Optional.ofNullable(e.getContextMark()))
                    .orElse(null);
            throw malformed(snippet(at),
                    "YAML; it is none here: look at the indentation, which has no tabs, at the brackets, and at"
                            + " texts that need quotes, since they contain ': ' or ' #', or begin with one of * & ! | > % @ ' [ { ? -",
                    at);
        } catch (YAMLException e) {
            throw malformed("its characters", "YAML, without control characters", null);
        }
    }

    /** The places of the wanted paths, once it is read. */
    Map<String, Place> places() {
        return places;
    }

    private JsonNode value(String path, Event event, int level) {
        count(event, level);
        JsonNode value = switch (event) {
            case ScalarEvent scalar -> scalar(scalar);
            case SequenceStartEvent _ -> list(path, level);
            case MappingStartEvent _ -> object(path, level);
            case AliasEvent alias -> repeated(alias, level);
            default -> throw malformed(snippet(event.getStartMark()), "a value", event.getStartMark());
        };
        if (!(event instanceof AliasEvent) && event instanceof NodeEvent node && node.getAnchor() != null) {
            anchors.put(node.getAnchor(), value);
        }
        return value;
    }

    private void count(Event event, int level) {
        if (++values > MOST_VALUES || level > MOST_LEVELS) {
            throw malformed("too much YAML",
                    "at most " + MOST_LEVELS + " levels, and " + MOST_VALUES + " values and brackets",
                    event.getStartMark());
        }
    }

    private ArrayNode list(String path, int level) {
        ArrayNode list = nodes.arrayNode();
        for (Event next = events.next(); !(next instanceof SequenceEndEvent); next = events.next()) {
            String element = DefinitionText.path(path, list.size());
            note(element, next);
            list.add(value(element, next, level + 1));
        }
        return list;
    }

    private ObjectNode object(String path, int level) {
        ObjectNode object = nodes.objectNode();
        for (Event next = events.next(); !(next instanceof MappingEndEvent); next = events.next()) {
            if (!(next instanceof ScalarEvent key)) {
                throw malformed(snippet(next.getStartMark()), "the name of a field", next.getStartMark());
            }
            count(key, level);
            if (key.isPlain() && key.getValue().startsWith("\t")) {
                throw malformed(key.getValue().strip(), "an indentation of spaces, without tabs", key.getStartMark());
            }
            String field = DefinitionText.path(path, key.getValue());
            boolean again = object.has(key.getValue());
            if (!again) {
                note(field, key);
            }
            JsonNode value = value(field, events.next(), level + 1);
            if (again) {
                Place at = place(key);
                faults.add(() -> new Fault(field, key.getValue(), "a name that its object has once").at(at.line(),
                        at.column()));
            } else {
                object.set(key.getValue(), value);
            }
        }
        return object;
    }

    private JsonNode repeated(AliasEvent alias, int level) {
        JsonNode value = anchors.get(alias.getAnchor());
        if (value == null) {
            throw malformed("*" + alias.getAnchor(), "the name of an anchor before it, &" + alias.getAnchor()
                    + "; a text that begins with * needs quotes", alias.getStartMark());
        }
        repeated += size(value);
        if (repeated > MOST_REPEATED || level + levels(value) > MOST_LEVELS) {
            throw malformed("*" + alias.getAnchor(),
                    "aliases that repeat at most " + MOST_REPEATED + " values, and at most " + MOST_LEVELS + " levels",
                    alias.getStartMark());
        }
        return value.deepCopy();
    }

    private static int size(JsonNode value) {
        int size = 1;
        for (JsonNode part : value) {
            size += size(part);
        }
        return size;
    }

    private static int levels(JsonNode value) {
        int levels = 0;
        for (JsonNode part : value) {
            levels = Math.max(levels, 1 + levels(part));
        }
        return levels;
    }

    /** By the core schema of YAML 1.2. Tags are ignored, but for a text that is marked as one. */
    private JsonNode scalar(ScalarEvent scalar) {
        String value = scalar.getValue();
        if (!scalar.isPlain() || scalar.getTag() != null) {
            return nodes.textNode(value);
        }
        return switch (value) {
            case "", "~", "null", "Null", "NULL" -> nodes.nullNode();
            case "true", "True", "TRUE" -> nodes.booleanNode(true);
            case "false", "False", "FALSE" -> nodes.booleanNode(false);
            default -> WHOLE.matcher(value).matches()
                    ? whole(new BigInteger(value))
                    : DECIMAL.matcher(value).matches()
                            ? nodes.numberNode(new BigDecimal(value))
                            : nodes.textNode(value);
        };
    }

    private JsonNode whole(BigInteger number) {
        return number.bitLength() < Integer.SIZE
                ? nodes.numberNode(number.intValue())
                : number.bitLength() < Long.SIZE ? nodes.numberNode(number.longValue()) : nodes.numberNode(number);
    }

    private void note(String path, Event event) {
        if (wanted.contains(path)) {
            places.putIfAbsent(path, place(event));
        }
    }

    private static Place place(Event event) {
        return new Place(event.getStartMark().getLine() + 1, event.getStartMark().getColumn() + 1);
    }

    private String snippet(@Nullable Mark at) {
        int start = at == null
                ? 0
                : Math.clamp(text.offsetByCodePoints(0, Math.min(at.getIndex(), text.codePointCount(0, text.length()))),
                        0, text.length());
        return text.substring(start, Math.min(text.length(), start + SNIPPET)).lines().findFirst().orElse("")
                .replaceAll("\\p{Cntrl}", "?");
    }

    private static MalformedRecordException malformed(String value, String rule, @Nullable Mark at) {
        Fault fault = new Fault("", value, rule);
        return new MalformedRecordException(at == null ? fault : fault.at(at.getLine() + 1, at.getColumn() + 1));
    }
}
