package io.trawl.extract;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.admission.UrlNormalizer;
import io.trawl.api.Page;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.extract.Part.ElementPart;
import io.trawl.extract.Part.JsonPart;
import io.trawl.extract.Part.MainText;
import io.trawl.extract.Part.TextPart;
import io.trawl.model.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.select.Evaluator;
import org.jsoup.select.QueryParser;
import org.jspecify.annotations.Nullable;

/**
 * A page as rules read it. What several fields need is computed on first use, once: the document, its JSON, its meta
 * elements, its JSON-LD, its form for XPath. Not thread-safe.
 */
public final class PageSource {
    private static final Evaluator META = QueryParser.parse("meta[content]");
    private static final Evaluator JSON_LD = QueryParser.parse("script[type=application/ld+json]");
    private static final Evaluator BASE = QueryParser.parse("base[href]");
    private static final int SNIPPET = 20;
    private final Page page;
    private final Optional<Supplier<Document>> document;
    private final Map<String, Object> fields;
    private final Optional<Supplier<Element>> content;
    private @Nullable Part root;
    private @Nullable XPathDocument xpath;
    private @Nullable String base;
    private @Nullable Map<String, List<String>> meta;
    private @Nullable List<JsonNode> linkedData;

    /**
     * @param document of HTML and XML; empty for other types
     * @param fields what parsers have read of the page
     * @param content the elements of its main text; empty: there are none
     */
    public PageSource(Page page, Optional<Supplier<Document>> document, Map<String, Object> fields,
            Optional<Supplier<Element>> content) {
        this.page = page;
        this.content = content;
        this.document = document;
        this.fields = fields;
    }

    Page page() {
        return page;
    }

    /** The number of characters of a text, else 0. */
    long size() {
        return page.isHtml() || page.isText() ? page.text().length() : 0;
    }

    /**
     * The document of HTML and XML, the value of JSON, and an empty text of any other type.
     *
     * @throws InvalidValueException if the page is said to be JSON and is none
     */
    Part root() {
        Part known = root;
        if (known == null) {
            known = document.<Part>map(source -> new ElementPart(source.get()))
                    .orElseGet(() -> page.isText() && page.contentType().endsWith("json") ? json() : new TextPart(""));
            root = known;
        }
        return known;
    }

    private Part json() {
        String text = page.text();
        return new JsonPart(json(text)
                .orElseThrow(() -> new InvalidValueException("", text.substring(0, Math.min(SNIPPET, text.length())),
                        "JSON of at most 32 levels and 500,000 values, as the media type says")));
    }

    static Optional<JsonNode> json(String text) {
        try {
            return Optional.of(Json.readBounded(text.getBytes(StandardCharsets.UTF_8), JsonNode.class));
        } catch (MalformedRecordException e) {
            return Optional.empty();
        }
    }

    /** The form of the document that XPath reads. */
    XPathDocument xpath(Element within) {
        XPathDocument known = xpath;
        if (known == null) {
            known = XPathDocument.of(within.root());
            xpath = known;
        }
        return known;
    }

    /** The absolute URL of a reference on the page, with its fragment: a place in a page is data. */
    Optional<String> resolve(String reference) {
        String known = base;
        if (known == null) {
            known = first(BASE).flatMap(element -> page.resolve(page.url(), element.attr("href"))).orElse(page.url());
            base = known;
        }
        return page.resolve(known, reference).map(url -> url + UrlNormalizer.fragment(reference));
    }

    private Optional<Element> first(Evaluator evaluator) {
        return root() instanceof ElementPart(Element element)
                ? Optional.ofNullable(element.selectFirst(evaluator))
                : Optional.empty();
    }

    private Stream<Element> all(Evaluator evaluator) {
        return root() instanceof ElementPart(Element element) ? element.select(evaluator).stream() : Stream.empty();
    }

    /** The contents of the meta elements with a name or property, in any case. */
    List<String> meta(String name) {
        Map<String, List<String>> known = meta;
        if (known == null) {
            Map<String, List<String>> read = new HashMap<>();
            all(META).forEach(element -> Stream.of("name", "property", "http-equiv", "itemprop").map(element::attr)
                    .map(key -> key.strip().toLowerCase(Locale.ROOT)).filter(key -> !key.isEmpty()).distinct()
                    .forEach(key -> read.computeIfAbsent(key, _ -> new ArrayList<>())
                            .add(element.attr("content").strip())));
            meta = read;
            known = read;
        }
        return known.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
    }

    /**
     * The objects of the JSON-LD blocks: each block, or the elements of its list and of its {@code @graph}. A block
     * that is no JSON is none.
     */
    List<JsonNode> linkedData() {
        List<JsonNode> known = linkedData;
        if (known == null) {
            known = all(JSON_LD).flatMap(script -> json(script.data()).stream()).flatMap(PageSource::objects).toList();
            linkedData = known;
        }
        return known;
    }

    private static Stream<JsonNode> objects(JsonNode block) {
        return block.isArray()
                ? block.valueStream().flatMap(PageSource::objects)
                : Stream.concat(Stream.of(block), block.path("@graph").valueStream());
    }

    /** The values of a field of the page by its name, the best first. */
    List<Part> field(PageField field) {
        return switch (field) {
            case URL -> List.of(new TextPart(page.url()));
            case CONTENT_TYPE -> List.of(new TextPart(page.contentType()));
            case AUTHOR -> Stream
                    .of(texts(named(field).toList()), texts(meta("author")), texts(meta("article:author")),
                            linked("author"), all(Authorship.AUTHOR).<Part>map(ElementPart::new))
                    .flatMap(parts -> parts).filter(part -> !part.text().isBlank() && !part.text().contains("://"))
                    .toList();
            case DATE -> Stream
                    .of(texts(named(field).toList()), texts(meta("article:published_time")), linked("datePublished"),
                            texts(meta("datePublished")), texts(meta("date")), texts(meta("dc.date")),
                            texts(all(Authorship.TIME).map(element -> element.attr("datetime")).toList()))
                    .flatMap(parts -> parts).filter(part -> !part.text().isBlank()).toList();
            case LANGUAGE -> Stream
                    .of(texts(named(PageField.LANG).toList()),
                            texts(List.of(page.header("content-language").split(",")[0])), texts(meta("og:locale")),
                            linked("inLanguage"))
                    .flatMap(parts -> parts).map(Part::text).map(PageSource::languageTag).filter(tag -> !tag.isEmpty())
                    .<Part>map(TextPart::new).toList();
            case TEXT -> named(field).<Part>map(
                    text -> content.<Part>map(markup -> new MainText(text, markup)).orElseGet(() -> new TextPart(text)))
                    .toList();
            case TITLE, DESCRIPTION, LANG, CANONICAL -> named(field).<Part>map(TextPart::new).toList();
        };
    }

    private Stream<String> named(PageField field) {
        return fields.get(field.word()) instanceof String text ? Stream.of(text) : Stream.empty();
    }

    /** In the form of BCP 47, also of {@code de_AT}; empty if it is no language. */
    private static String languageTag(String declared) {
        String tag = Locale.forLanguageTag(declared.strip().replace('_', '-')).toLanguageTag();
        return tag.equals("und") ? "" : tag;
    }

    private static Stream<Part> texts(List<String> texts) {
        return texts.stream().map(TextPart::new);
    }

    /** Of authors their names. */
    private Stream<Part> linked(String name) {
        return linkedData().stream().map(object -> object.path(name))
                .flatMap(value -> value.isArray() ? value.valueStream() : Stream.of(value))
                .map(value -> value.isObject() ? value.path("name") : value).filter(JsonNode::isTextual)
                .map(JsonPart::new);
    }

    /** Where pages say who wrote them, and when. */
    private static final class Authorship {
        private static final Evaluator AUTHOR = QueryParser
                .parse("[rel=author], [itemprop=author] [itemprop=name], [itemprop=author]");
        private static final Evaluator TIME = QueryParser
                .parse("time[itemprop=datePublished][datetime], time[pubdate][datetime], article time[datetime]");
    }
}
