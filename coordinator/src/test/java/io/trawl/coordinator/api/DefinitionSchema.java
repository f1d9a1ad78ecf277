package io.trawl.coordinator.api;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.Webhook;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.extract.rule.ItemRule;
import io.trawl.field.Constraints;
import io.trawl.field.Range;
import io.trawl.model.Seed;
import io.trawl.pattern.UrlPattern;
import io.trawl.process.ProcessorStep;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The schema of crawl definitions in {@code openapi.yaml}, made from the records: types, rules and defaults from their
 * components, sentences from their comments. What no record says, such as an example, stays as it is in the file.
 */
final class DefinitionSchema {
    private static final Path FILE = Path.of("src/main/resources/openapi.yaml");
    private static final Path SOURCES = Path.of("../common/model/src/main/java");
    private static final String BEGIN = "    # Made from the records by CrawlSchemaTest: CONTRIBUTING.md.\n    CrawlDefinition:\n";
    private static final String CHANGE = "    CrawlChange:\n";
    private static final Pattern REGION = Pattern.compile(BEGIN + "((?:      .*\n)*)" + CHANGE + "((?:      .*\n)*)");
    /** Types with schemas of their own, which are written by hand. */
    private static final Map<Class<?>, String> SCHEMAS = Map.of(Duration.class, "Duration", UrlPattern.class,
            "UrlPattern", Seed.class, "Seed", ItemRule.class, "ItemRule", ProcessorStep.class, "Processor",
            SinkDefinition.class, "Sink", Webhook.class, "Webhook");
    private static final Map<Class<?>, String> SCALARS = Map.of(String.class, "string", Integer.class, "integer",
            Long.class, "integer", Double.class, "number", Boolean.class, "boolean", boolean.class, "boolean");
    private static final YAMLMapper YAML = YAMLMapper.builder().enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER).disable(YAMLGenerator.Feature.SPLIT_LINES).build();

    private final String present = Files.readString(FILE);
    private final Matcher region = REGION.matcher(present);
    private final ObjectNode schema;

    DefinitionSchema() throws IOException {
        if (!region.find()) {
            throw new IllegalStateException("no schema of definitions in " + FILE);
        }
        this.schema = object((ObjectNode) YAML.readTree(region.group(1)), CrawlDefinition.class,
                CrawlDefinition.of(List.of()));
    }

    ObjectNode schema() {
        return schema.deepCopy();
    }

    /** The file as it must be. */
    String file() throws IOException {
        return present.substring(0, region.start(1)) + YAML.writeValueAsString(schema).indent(6) + CHANGE
                + "      description: A merge patch of a definition; null stands for the default\n      type: object\n"
                + change(schema, "      ") + present.substring(region.end(2));
    }

    /**
     * The fields of a merge patch: each as it is, or null. What has fields of its own takes several lines, all else is
     * JSON, which is YAML, too.
     */
    private static String change(JsonNode group, String indent) {
        StringBuilder lines = new StringBuilder(indent + "additionalProperties: false\n" + indent + "properties:\n");
        group.path("properties").properties().forEach(field -> {
            lines.append(indent).append("  ").append(field.getKey()).append(":");
            if (field.getValue().has("properties")) {
                lines.append("\n").append(indent).append("    type: [object, 'null']\n")
                        .append(change(field.getValue(), indent + "    "));
            } else {
                lines.append(" ").append(orNull(field.getValue().deepCopy())).append("\n");
            }
        });
        return lines.toString();
    }

    private static JsonNode orNull(ObjectNode schema) {
        for (String note : List.of("description", "default", "example")) {
            schema.findParents(note).forEach(parent -> ((ObjectNode) parent).remove(note));
        }
        ObjectNode either = schema.objectNode();
        either.putArray("anyOf").add(schema).addObject().put("type", "null");
        return either;
    }

    String present() {
        return present;
    }

    void write() throws IOException {
        Files.writeString(FILE, file());
    }

    /** @param preset an instance with the defaults; null if the object is absent by default */
    private static ObjectNode object(ObjectNode node, Class<?> record, @Nullable Object preset) throws IOException {
        if (!node.path("type").isArray()) {
            node.put("type", "object");
        }
        node.put("additionalProperties", false);
        JsonNode before = node.path("properties");
        ObjectNode properties = node.putObject("properties");
        Map<String, String> sentences = Sentences.of(record);
        for (RecordComponent component : record.getRecordComponents()) {
            String name = component.getName();
            ObjectNode field = before.path(name) instanceof ObjectNode known ? known.deepCopy() : node.objectNode();
            Object value = preset == null ? null : read(component, preset);
            type(field, component.getGenericType(), Constraints.of(component), value);
            field.put("description", requireNonNull(sentences.get(name), () -> record + " says nothing of " + name));
            properties.set(name, field);
        }
        return node;
    }

    private static Object read(RecordComponent component, Object record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void type(ObjectNode node, Type type, Constraints constraints, @Nullable Object preset)
            throws IOException {
        Class<?> raw = (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
        if (raw == Optional.class) {
            type(node, argument(type, 0), constraints, null);
        } else if (raw == List.class) {
            if (!node.path("type").isArray()) {
                node.put("type", "array");
            }
            constraints.size().ifPresent(size -> node.put("maxItems", size.max()));
            type(node.withObject("/items"), argument(type, 0), constraints, null);
        } else if (raw == Map.class) {
            node.put("type", "object");
            type(node.withObject("/additionalProperties"), argument(type, 1), constraints, null);
        } else if (SCHEMAS.containsKey(raw)) {
            node.remove("type");
            node.put("$ref", "#/components/schemas/" + SCHEMAS.get(raw));
        } else if (raw.isRecord()) {
            object(node, raw, preset);
        } else {
            scalar(node, raw, constraints);
        }
        if (preset != null && (SCALARS.containsKey(raw) || raw.isEnum() || raw == Duration.class)) {
            node.set("default", Json.mapper().valueToTree(preset));
        }
    }

    private static Type argument(Type type, int index) {
        return ((ParameterizedType) type).getActualTypeArguments()[index];
    }

    private static void scalar(ObjectNode node, Class<?> type, Constraints constraints) {
        node.put("type", type.isEnum() ? "string" : requireNonNull(SCALARS.get(type), type::getName));
        if (type.isEnum()) {
            node.set("enum", Json.mapper().valueToTree(type.getEnumConstants()));
        }
        constraints.range().ifPresent(range -> limits(node, range));
        constraints.form().ifPresent(form -> node.put("pattern",
                form.regexp().contains("|") ? "^(?:" + form.regexp() + ")$" : "^" + form.regexp() + "$"));
        constraints.oneOf().ifPresent(words -> node.set("enum", Json.mapper().valueToTree(words.value())));
    }

    private static void limits(ObjectNode node, Range range) {
        node.put("minimum", Long.parseLong(range.min()));
        if (!range.max().isEmpty()) {
            node.put("maximum", Long.parseLong(range.max()));
        }
    }

    /** The sentences for the components of a record, from its Javadoc. */
    private static final class Sentences {
        private static final Pattern PARAMETER = Pattern.compile("@param (\\w+) (.*?)(?= @|$)");

        private Sentences() {}

        static Map<String, String> of(Class<?> record) throws IOException {
            Class<?> file = Optional.<Class<?>>ofNullable(record.getEnclosingClass()).orElse(record);
            String source = Files.readString(SOURCES.resolve(file.getName().replace('.', '/') + ".java"));
            int begin = source.indexOf(" record " + record.getSimpleName() + "(");
            int comment = source.lastIndexOf("/**", begin);
            String text = source.substring(comment, source.indexOf("*/", comment)).replaceAll("\\s*\\n\\s*\\*\\s?", " ")
                    .replaceAll("\\{@(?:code|link) ([^}]*)}", "$1").strip();
            return PARAMETER.matcher(text).results().collect(Collectors.toMap(found -> found.group(1),
                    found -> found.group(2).substring(0, 1).toUpperCase(Locale.ROOT) + found.group(2).substring(1)));
        }
    }
}
