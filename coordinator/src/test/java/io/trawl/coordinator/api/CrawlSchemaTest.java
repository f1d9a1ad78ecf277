package io.trawl.coordinator.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.trawl.admission.Admission;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.definition.Webhook;
import io.trawl.coordinator.definition.DefinitionRules;
import io.trawl.coordinator.definition.DefinitionText;
import io.trawl.coordinator.definition.InvalidDefinitionException;
import io.trawl.coordinator.definition.WrittenDefinition;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.model.Seed;
import io.trawl.process.ProcessorStep;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The schema of definitions in the description of the REST interface is made from the records of the model, and the
 * JSON Schema of crawl files from it: {@code -Ddocs.write=true} writes both again.
 */
class CrawlSchemaTest {
    private static final Path DOCUMENT = Path.of("../docs/schema/crawl.schema.json");
    private static final Path PAGE = Path.of("../docs/crawl-file.md");
    private static final String SCHEMAS = "#/components/schemas/";
    private static final CrawlId DOCS = new CrawlId("docs");
    private static final DefinitionRules RULES = new DefinitionRules(new Admission(2048), 10);
    private final JsonNode document = Json.read(OpenApiDocument.read().json(), JsonNode.class);
    private final DefinitionSchema definition = new DefinitionSchema();

    /** The document with the schema as it must be. */
    CrawlSchemaTest() throws IOException {
        ((ObjectNode) document.at("/components/schemas")).set("CrawlDefinition", definition.schema());
    }

    private static ObjectNode published() throws IOException {
        try (InputStream in = CrawlSchemaTest.class.getResourceAsStream("/dashboard/crawl.schema.json")) {
            return (ObjectNode) Json.mapper().readTree(in);
        }
    }

    /** As JSON Schema, with every schema that it refers to. */
    private ObjectNode made() {
        ObjectNode schema = Json.mapper().createObjectNode();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema").put("title", "A crawl file")
                .put("description", "The definition of a crawl, in YAML or JSON: docs/crawl-file.md");
        ObjectNode definition = document.at("/components/schemas/CrawlDefinition").deepCopy();
        Map<String, ObjectNode> parts = new TreeMap<>();
        schema.setAll((ObjectNode) part(definition, parts));
        ObjectNode all = schema.putObject("$defs");
        all.putObject("Variable").put("type", "string").put("pattern", "\\$\\{env:TRAWL_VALUE_[A-Z0-9_]+\\}")
                .put("description", "A variable of the environment");
        parts.forEach(all::set);
        return schema;
    }

    private JsonNode part(JsonNode schema, Map<String, ObjectNode> parts) {
        if (schema instanceof ArrayNode list) {
            list.forEach(element -> part(element, parts));
        }
        if (!(schema instanceof ObjectNode object)) {
            return schema;
        }
        String referred = object.path("$ref").asText("");
        if (referred.startsWith(SCHEMAS)) {
            String name = referred.substring(SCHEMAS.length());
            object.put("$ref", "#/$defs/" + name);
            if (!parts.containsKey(name)) {
                ObjectNode copy = document.at("/components/schemas/" + name).deepCopy();
                parts.put(name, copy);
                parts.put(name, (ObjectNode) part(copy, parts));
            }
        }
        for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
            object.set(field.getKey(), part(field.getValue(), parts));
        }
        if (object.has("example")) {
            object.putArray("examples").add(object.remove("example"));
        }
        return orVariable(object);
    }

    /** Where not every text is valid, a variable may hold the value. */
    private static ObjectNode orVariable(ObjectNode schema) {
        boolean scalar = Set.of("integer", "number", "boolean").contains(schema.path("type").asText())
                || schema.path("type").asText().equals("string") && (schema.has("pattern") || schema.has("enum"));
        if (!scalar) {
            return schema;
        }
        ObjectNode either = schema.objectNode();
        for (String kept : List.of("description", "default", "examples")) {
            if (schema.has(kept)) {
                either.set(kept, schema.remove(kept));
            }
        }
        either.putArray("anyOf").add(schema).addObject().put("$ref", "#/$defs/Variable");
        return either;
    }

    @Test
    void theSchemaOfDefinitionsIsMadeFromTheRecords() throws IOException {
        if (Boolean.getBoolean("docs.write")) {
            definition.write();
        } else {
            assertThat(definition.present().equals(definition.file()))
                    .as("run this test with -Ddocs.write=true to write the schema again").isTrue();
        }
    }

    @Test
    void theSchemaIsThatOfTheRestInterfaceAndThePublishedOneIsIt() throws IOException {
        String wanted = Json.mapper().writer().with(SerializationFeature.INDENT_OUTPUT).writeValueAsString(made())
                + "\n";
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(DOCUMENT, wanted);
        } else {
            assertThat(Files.readString(DOCUMENT)).as("run this test with -Ddocs.write=true to write %s", DOCUMENT)
                    .isEqualTo(wanted);
            assertThat(published()).isEqualTo(Json.mapper().readTree(wanted));
        }
    }

    @Test
    void theElementsOfListsHaveTheFieldsOfTheModel() {
        Map.of("/components/schemas/Seed", Seed.class, "/components/schemas/Webhook", Webhook.class,
                "/components/schemas/Processor", ProcessorStep.class, "/components/schemas/Sink", SinkDefinition.class)
                .forEach((path,
                        record) -> assertThat(document.at(path + "/properties").propertyStream().map(Map.Entry::getKey))
                                .as(path).containsExactlyInAnyOrderElementsOf(Json.fields(record).toList()));
    }

    @Test
    void theLimitsOfNumbersAreThoseOfTheRules() {
        List<String> compared = new ArrayList<>();
        numbers("", document.at("/components/schemas/CrawlDefinition"), compared);
        assertThat(compared).contains("limits.depth", "limits.host.maxUrls", "priority", "weight");
    }

    private void numbers(String path, JsonNode schema, List<String> compared) {
        schema.path("properties").properties().forEach(property -> {
            String field = path + property.getKey();
            JsonNode part = property.getValue();
            numbers(field + ".", part, compared);
            if (part.path("type").asText().equals("integer")) {
                compared.add(field);
                if (part.has("minimum")) {
                    long least = part.path("minimum").asLong();
                    assertThat(faults(field, least)).as("%s: %d", field, least).isEmpty();
                    assertThat(faults(field, least - 1)).as("%s: %d", field, least - 1).containsExactly(field);
                }
                if (part.has("maximum")) {
                    long most = part.path("maximum").asLong();
                    assertThat(faults(field, most)).as("%s: %d", field, most).isEmpty();
                    assertThat(faults(field, most + 1)).as("%s: %d", field, most + 1).containsExactly(field);
                }
            }
        });
    }

    private static List<String> faults(String field, long number) {
        String json = Long.toString(number);
        String[] names = field.split("\\.");
        for (int i = names.length - 1; i >= 0; i--) {
            json = "{\"" + names[i] + "\":" + json + "}";
        }
        return faults(DefinitionText.json(json.getBytes(java.nio.charset.StandardCharsets.UTF_8))).stream()
                .map(Fault::field).toList();
    }

    private static List<Fault> faults(DefinitionText text) {
        WrittenDefinition written = WrittenDefinition.read(text,
                new CrawlVariables(Map.of("TRAWL_VALUE_PAGES", "500", "TRAWL_VALUE_AGENT", "x")));
        try {
            written.complete(DOCS, RULES, Optional.empty());
            RULES.check(DOCS, written.definition());
            return List.of();
        } catch (InvalidDefinitionException e) {
            return written.placed(e).faults();
        }
    }

    @Test
    void theExampleOfThePageIsValidAndHasEveryField() throws IOException {
        Matcher found = Pattern.compile("(?s)```yaml\n(.*?)```").matcher(Files.readString(PAGE));
        assertThat(found.find()).isTrue();
        byte[] example = found.group(1).getBytes(java.nio.charset.StandardCharsets.UTF_8);
        assertThat(faults(DefinitionText.yaml(example))).isEmpty();
        JsonNode tree = new com.fasterxml.jackson.dataformat.yaml.YAMLMapper().readTree(example);
        Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(published());
        assertThat(schema.validate(tree)).isEmpty();
        assertThat(schema.validate(Json.mapper().readTree("{\"limits\":{\"depht\":2}}"))).isNotEmpty();
        assertThat(schema.validate(Json.mapper().readTree("{\"limits\":{\"depth\":\"${env:TRAWL_VALUE_D}\"}}")))
                .isEmpty();
        Set<String> shown = new TreeSet<>();
        fields("", tree, shown);
        Set<String> all = new TreeSet<>();
        described("", document.at("/components/schemas/CrawlDefinition"), all);
        assertThat(shown).containsAll(all);
    }

    @Test
    void nullIsAFaultInThePlaceOfAnyValueOfTheExampleAndNoOtherValueStopsTheCheck() throws IOException {
        Matcher found = Pattern.compile("(?s)```yaml\n(.*?)```").matcher(Files.readString(PAGE));
        assertThat(found.find()).isTrue();
        JsonNode example = new com.fasterxml.jackson.dataformat.yaml.YAMLMapper().readTree(found.group(1));
        Set<JsonPointer> places = new java.util.LinkedHashSet<>();
        places(JsonPointer.empty(), example, places);
        for (String other : List.of("null", "7", "\"x\"", "[null]", "{\"a\":null}")) {
            for (JsonPointer place : places) {
                JsonNode changed = with(example.deepCopy(), place, Json.mapper().readTree(other));
                List<Fault> faults = faults(DefinitionText.json(Json.bytes(changed)));
                if (other.contains("null")) {
                    assertThat(faults).as("%s at %s", other, place).isNotEmpty();
                }
            }
        }
    }

    private static void places(JsonPointer at, JsonNode tree, Set<JsonPointer> into) {
        for (int i = 0; i < tree.size() && tree.isArray(); i++) {
            into.add(at.appendIndex(i));
            places(at.appendIndex(i), tree.get(i), into);
        }
        tree.properties().forEach(field -> {
            into.add(at.appendProperty(field.getKey()));
            places(at.appendProperty(field.getKey()), field.getValue(), into);
        });
    }

    private static JsonNode with(JsonNode tree, JsonPointer place, JsonNode value) {
        if (tree.at(place.head()) instanceof ArrayNode list) {
            list.set(place.last().getMatchingIndex(), value);
        } else {
            ((ObjectNode) tree.at(place.head())).set(place.last().getMatchingProperty(), value);
        }
        return tree;
    }

    private static void fields(String path, JsonNode tree, Set<String> into) {
        if (tree.isArray()) {
            tree.forEach(element -> fields(path, element, into));
        }
        tree.properties().forEach(field -> {
            into.add(path + field.getKey());
            fields(path + field.getKey() + ".", field.getValue(), into);
        });
    }

    private void described(String path, JsonNode schema, Set<String> into) {
        schema.path("properties").properties().forEach(property -> {
            into.add(path + property.getKey());
            JsonNode part = property.getValue().has("items") ? property.getValue().path("items") : property.getValue();
            boolean elsewhere = part.path("$ref").asText("").matches(".*/(Seed|Webhook|Processor|Sink)");
            described(path + property.getKey() + ".",
                    elsewhere ? document.at(part.path("$ref").asText().substring(1)) : part, into);
        });
    }
}
