package io.trawl.standalone.crawl;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trawl.codec.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Random crawl files made of the published schema, so that a new field is in them at once. Texts come from a list by
 * the name of their field; most are valid. The same random numbers make the same file.
 */
final class RandomCrawlFile {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final List<String> PATTERNS = List.of("/p/**", "/**", "*.example.org",
            "https://example.org/{a,p}/**", "re:[?&]page=[0-9]+", "re:/p/[0-9]$", "/{a", "re:(");
    private static final List<String> SELECTORS = List.of("h1", "li.offer > a[href]", "xpath://h1", "json:/items", "a[",
            "xpath:][");
    private static final List<String> FIELDS = List.of("title", "price", "a_b", "tags", "status");
    private static final List<String> SECRETS = List.of("${env:TRAWL_SECRET_A}", "hush");
    private static final List<String> HEADERS = List.of("X-A", "Accept", "Cookie", "Content-Type", "Range", "Host",
            "Content-Length", "a b");
    private static final List<String> LOCALES = List.of("de", "de-CH", "en", "fr", "xx");
    private static final List<String> PROXIES = List.of("http://proxy:3128", "http://127.0.0.1:8080",
            "${env:TRAWL_SECRET_A}", "p:1");
    /** Values of texts, by the name of the field, with that of its object where it is not enough, or of the schema. */
    private static final Map<String, List<String>> TEXTS = Map.ofEntries(Map.entry("UrlPattern", PATTERNS),
            Map.entry("match", PATTERNS), Map.entry("each", SELECTORS),
            Map.entry("regions", List.of("main", "xpath://nav", "a[")),
            Map.entry("css", List.of("h1", ".price", "nav a", "a[")), Map.entry("ItemField", List.of("h1", "p", "a[")),
            Map.entry("xpath", List.of("//h1", "count(//a)", "//a/@href", "][")),
            Map.entry("json", List.of("/a/b", "$.items[*].name", "$[")),
            Map.entry("jsonld", List.of("/name", "$.offers.price")),
            Map.entry("regex", List.of("([0-9]+)", "a|b", "(")), Map.entry("locale", LOCALES),
            Map.entry("formats", List.of("d. MMMM uuuu", "yyyy-MM-dd", "QQQQQQQQ")),
            Map.entry("zone", List.of("UTC", "Europe/Berlin", "Mars")),
            Map.entry("cron", List.of("0 3 * * *", "*/5 1-3 * 1,6 *", "soon")),
            Map.entry("url",
                    List.of("https://example.org/", "http://127.0.0.1:8080/p?q=1#x", "https://docs.example.org/ä",
                            "mailto:x")),
            Map.entry("Seed", List.of("https://example.org/a", "x")),
            Map.entry("sitemaps", List.of("https://example.org/s.xml", "/s.xml")),
            Map.entry("domains", List.of("example.org", "127.0.0.1", "b.co.uk", "co.uk")),
            Map.entry("secret", List.of("${env:TRAWL_SECRET_A}")),
            Map.entry("host", List.of("example.org", "example.org:8443", "https://x/")),
            Map.entry("user", List.of("crawler", "a:b")), Map.entry("password", SECRETS), Map.entry("bearer", SECRETS),
            Map.entry("proxy", PROXIES), Map.entry("proxies", PROXIES),
            Map.entry("userAgent", List.of("Bot/1.0", "Bot (${env:TRAWL_VALUE_TEXT})", "ä")),
            Map.entry("contact", List.of("me@example.org", "https://example.org/bot", "me")),
            Map.entry("ignoreRobots", List.of("example.org", "127.0.0.1", "*")),
            Map.entry("cookie", List.of("a=b", "s=${env:TRAWL_SECRET_A}", "é")), Map.entry("crawl", List.of("any")),
            Map.entry("CrawlId", List.of("any", "other")),
            Map.entry("parser", List.of("html", "text", "robots", "sitemap")),
            Map.entry("parsers", List.of("html", "text", "none")),
            Map.entry("fetcher", List.of("http", "browser", "My")), Map.entry("fetch", List.of("http", "My")),
            Map.entry("replay", List.of("docs-1", "a/b", "../a")),
            Map.entry("skipEndings", List.of("zip", "JPG", ".gif")),
            Map.entry("include", List.of("text/*", "application/json", "Text")),
            Map.entry("exclude", List.of("text/calendar", "image/png", "text")),
            Map.entry("Duration", List.of("0ms", "500ms", "2s", "1.5s", "3m", "soon")),
            Map.entry("Processor", List.of("word-count", "plug-in")),
            Map.entry("name", List.of("word-count", "plug-in")), Map.entry("field", FIELDS), Map.entry("drop", FIELDS),
            Map.entry("keep", FIELDS), Map.entry("trim", FIELDS), Map.entry("unique", FIELDS),
            Map.entry("similar", List.of("text", "")), Map.entry("pattern", List.of("[0-9]+", "a(b)?", "(")),
            Map.entry("with", List.of("", "$1", "$9", "x")), Map.entry("rename", List.of("heading", "b")),
            Map.entry("require",
                    List.of("item.depth < 3", "has(item.title) && size(item.title) > 0", "item.status == 200", "itm")),
            Map.entry("sinks.type", List.of("jsonl", "csv", "parquet", "acme.index", "cvs")),
            Map.entry("sinks.name", List.of("a", "b-1", "c", "A")),
            Map.entry("type", List.of("offer", "page", "a b", "x-1")), Map.entry("body", List.of("q=1", "{}")));
    private static final Map<String, List<String>> KEYS = Map.of("headers", HEADERS, "fields",
            List.of("title", "price", "when", "x y"), "rename", FIELDS, "metadata", List.of("batch", "a b"), "set",
            List.of("source", "status"));
    /** A field of an item has one of them. */
    private static final Set<String> SOURCES = Set.of("css", "xpath", "json", "jsonld", "meta", "openGraph",
            "microdata", "header", "page", "regex", "fields");
    private final JsonNode schema;
    private final Random random;

    RandomCrawlFile(Random random) {
        this.schema = published();
        this.random = random;
    }

    private static JsonNode published() {
        try (InputStream in = RandomCrawlFile.class.getResourceAsStream("/dashboard/crawl.schema.json")) {
            return Json.mapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The names of all fields of the schema, as {@code extract.items.fields.css}; fields of fields are not named again.
     */
    static Set<String> fields() {
        Set<String> fields = new TreeSet<>();
        JsonNode schema = published();
        fields(schema, schema, "", fields);
        return fields;
    }

    private static void fields(JsonNode schema, JsonNode part, String path, Set<String> into) {
        JsonNode referred = part.has("$ref") ? schema.at(part.path("$ref").asText().substring(1)) : part;
        referred.path("anyOf").forEach(one -> fields(schema, one, path, into));
        if (referred.has("items")) {
            fields(schema, referred.path("items"), path, into);
        }
        if (referred.path("additionalProperties").isObject()) {
            fields(schema, referred.path("additionalProperties"), path, into);
        }
        referred.path("properties").properties().forEach(field -> {
            String name = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
            if (into.add(name) && !name.endsWith("fields.fields")) {
                fields(schema, field.getValue(), name, into);
            }
        });
    }

    ObjectNode next() {
        return object("", schema, 0);
    }

    private boolean often() {
        return random.nextInt(100) < 97;
    }

    private <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private JsonNode value(String name, JsonNode part, int depth) {
        if (part.has("$ref")) {
            String path = part.path("$ref").asText();
            String referred = path.substring(path.lastIndexOf('/') + 1);
            return referred.equals("Variable")
                    ? NODES.textNode("${env:TRAWL_VALUE_NUMBER}")
                    : value(TEXTS.containsKey(referred) ? referred : name, schema.at(path.substring(1)), depth);
        }
        if (part.has("anyOf")) {
            JsonNode choices = part.path("anyOf");
            boolean variable = choices.get(choices.size() - 1).path("$ref").asText().endsWith("Variable");
            return value(name, choices.get(variable && often() ? 0 : random.nextInt(choices.size())), depth);
        }
        if (part.has("enum")) {
            return often() ? part.path("enum").get(random.nextInt(part.path("enum").size())) : NODES.textNode("none");
        }
        JsonNode types = part.path("type");
        String type = types.isArray() ? types.get(random.nextInt(4) == 0 ? 1 : 0).asText() : types.asText();
        return switch (type) {
            case "object" -> object(name, part, depth);
            case "array" -> array(name, part, depth);
            case "integer" -> integer(part);
            case "boolean" -> NODES.booleanNode(random.nextBoolean());
            case "string" -> NODES.textNode(text(name, part));
            default -> any(List.of(NODES.textNode("none"), NODES.numberNode(7), NODES.booleanNode(true)));
        };
    }

    private String text(String name, JsonNode part) {
        List<String> texts = TEXTS.getOrDefault(name, List.of());
        if (!texts.isEmpty()) {
            // The last ones of most lists are not valid.
            return often() && texts.size() > 1 ? texts.get(random.nextInt(texts.size() - 1)) : any(texts);
        }
        JsonNode example = part.path("examples").path(0);
        return example.isMissingNode() ? part.path("default").asText("text") : example.asText();
    }

    private JsonNode integer(JsonNode part) {
        long least = part.path("minimum").asLong(0);
        long most = part.path("maximum").asLong(1_000_000);
        return NODES.numberNode(switch (random.nextInt(20)) {
            case 0 -> least - (often() ? 0 : 1);
            case 1 -> most + (often() ? 0 : 1);
            default -> least + random.nextLong(Math.min(most - least, 10) + 1);
        });
    }

    private ArrayNode array(String name, JsonNode part, int depth) {
        ArrayNode array = NODES.arrayNode();
        int least = part.path("minItems").asInt(0);
        int size = least + (part.path("maxItems").asInt(9) > least ? random.nextInt(3) : 0);
        for (int i = 0; i < size; i++) {
            array.add(value(name, part.path("items"), depth + 1));
        }
        return array;
    }

    private ObjectNode object(String name, JsonNode part, int depth) {
        ObjectNode object = NODES.objectNode();
        List<Map.Entry<String, JsonNode>> properties = new ArrayList<>(part.path("properties").properties());
        Collections.shuffle(properties, random);
        boolean one = part.path("maxProperties").asInt(0) == 1;
        boolean item = part.path("properties").has("css") && part.path("properties").has("xpath");
        Set<String> required = new TreeSet<>();
        part.path("required").forEach(field -> required.add(field.asText()));
        boolean sourced = false;
        for (Map.Entry<String, JsonNode> property : properties) {
            boolean source = item && SOURCES.contains(property.getKey());
            boolean wanted = one
                    ? object.isEmpty()
                    : source
                            ? !sourced && (depth < 7 || !property.getKey().equals("fields"))
                            : required.contains(property.getKey()) ? often() : random.nextInt(depth < 2 ? 2 : 3) == 0;
            if (wanted) {
                sourced |= source;
                String field = name + "." + property.getKey();
                object.set(property.getKey(),
                        value(TEXTS.containsKey(field) ? field : property.getKey(), property.getValue(), depth + 1));
            }
        }
        JsonNode further = part.path("additionalProperties");
        if (further.isObject() || further.asBoolean(false)) {
            for (int i = 1 + random.nextInt(2); i > 0; i--) {
                List<String> keys = KEYS.getOrDefault(name, List.of("a", "b"));
                object.set(often() && keys.size() > 1 ? keys.get(random.nextInt(keys.size() - 1)) : any(keys),
                        further.isObject()
                                ? value(name.equals("headers") ? "cookie" : name, further, depth + 1)
                                : NODES.numberNode(7));
            }
        }
        return object;
    }
}
