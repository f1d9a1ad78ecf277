package io.trawl.analyzer.metadata;

import io.trawl.analyzer.metadata.PageFacts.Fact;
import io.trawl.analyzer.metadata.PageFacts.Trust;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.select.Evaluator;

/**
 * Who wrote a page, when, for which site, and what kind of page it is: collected from JSON-LD, Open Graph, microdata,
 * {@code meta} and what the page shows, element by element in one traversal. An element without attributes costs one
 * comparison. Not thread-safe.
 */
public final class PageMetadata {
    private static final Map<String, Fact> OPEN_GRAPH = Map.ofEntries(Map.entry("article:author", Fact.AUTHOR),
            Map.entry("og:article:author", Fact.AUTHOR), Map.entry("og:author", Fact.AUTHOR),
            Map.entry("article:published_time", Fact.PUBLISHED), Map.entry("og:article:published_time", Fact.PUBLISHED),
            Map.entry("og:published_time", Fact.PUBLISHED), Map.entry("og:publish_date", Fact.PUBLISHED),
            Map.entry("article:published", Fact.PUBLISHED), Map.entry("article:modified_time", Fact.MODIFIED),
            Map.entry("og:article:modified_time", Fact.MODIFIED), Map.entry("og:updated_time", Fact.MODIFIED),
            Map.entry("article:modified", Fact.MODIFIED), Map.entry("og:site_name", Fact.SITE_NAME),
            Map.entry("og:type", Fact.TYPE), Map.entry("og:image", Fact.IMAGE), Map.entry("og:image:url", Fact.IMAGE),
            Map.entry("og:image:secure_url", Fact.IMAGE));
    private static final Map<String, Fact> META = Map.ofEntries(Map.entry("author", Fact.AUTHOR),
            Map.entry("dc.creator", Fact.AUTHOR), Map.entry("dcterms.creator", Fact.AUTHOR),
            Map.entry("parsely-author", Fact.AUTHOR), Map.entry("sailthru.author", Fact.AUTHOR),
            Map.entry("cxenseparse:author", Fact.AUTHOR), Map.entry("citation_author", Fact.AUTHOR),
            Map.entry("byl", Fact.AUTHOR), Map.entry("date", Fact.PUBLISHED), Map.entry("dc.date", Fact.PUBLISHED),
            Map.entry("dc.date.issued", Fact.PUBLISHED), Map.entry("dc.date.created", Fact.PUBLISHED),
            Map.entry("dcterms.created", Fact.PUBLISHED), Map.entry("dcterms.issued", Fact.PUBLISHED),
            Map.entry("dcterms.date", Fact.PUBLISHED), Map.entry("pubdate", Fact.PUBLISHED),
            Map.entry("publishdate", Fact.PUBLISHED), Map.entry("publish_date", Fact.PUBLISHED),
            Map.entry("published_at", Fact.PUBLISHED), Map.entry("publication_date", Fact.PUBLISHED),
            Map.entry("parsely-pub-date", Fact.PUBLISHED), Map.entry("sailthru.date", Fact.PUBLISHED),
            Map.entry("cxenseparse:publishtime", Fact.PUBLISHED), Map.entry("citation_date", Fact.PUBLISHED),
            Map.entry("citation_publication_date", Fact.PUBLISHED), Map.entry("last-modified", Fact.MODIFIED),
            Map.entry("dc.date.modified", Fact.MODIFIED), Map.entry("dcterms.modified", Fact.MODIFIED),
            Map.entry("updated_at", Fact.MODIFIED), Map.entry("application-name", Fact.SITE_NAME),
            Map.entry("twitter:image", Fact.IMAGE), Map.entry("twitter:image:src", Fact.IMAGE));
    private static final Map<String, Fact> PROPERTIES = Map.of("author", Fact.AUTHOR, "creator", Fact.AUTHOR,
            "datepublished", Fact.PUBLISHED, "datecreated", Fact.PUBLISHED, "datemodified", Fact.MODIFIED);
    /** The names of the fields, in their order. */
    private static final Map<String, Fact> FIELDS = fields();
    private static final Evaluator SCRIPTS = new Evaluator.Tag("script");
    private final FactReader facts;
    private final LinkedData linkedData = new LinkedData();
    private final Bylines bylines;
    /** What the data of a card is, in the language of the page: <i>Written by</i>. */
    private String label = "";

    /**
     * @param now when the page was fetched
     * @param language supplies the tag of the language that the page declares, or an empty text
     */
    public PageMetadata(WrittenDates dates, Instant now, Supplier<String> language) {
        this.facts = new FactReader(dates, now, language);
        this.bylines = new Bylines(facts);
    }

    private static Map<String, Fact> fields() {
        Map<String, Fact> fields = new LinkedHashMap<>();
        fields.put("author", Fact.AUTHOR);
        fields.put("published", Fact.PUBLISHED);
        fields.put("modified", Fact.MODIFIED);
        fields.put("siteName", Fact.SITE_NAME);
        fields.put("pageType", Fact.TYPE);
        fields.put("image", Fact.IMAGE);
        return fields;
    }

    /** Takes from an element what it says. */
    public void add(Element element) {
        bylines.nearHeading(element);
        if (element.attributesSize() == 0) {
            return;
        }
        switch (element.normalName()) {
            case "meta" -> meta(element);
            case "script" -> read(element, linkedData);
            case "link" -> image(element);
            default -> {
                microdata(element);
                bylines.add(element);
            }
        }
    }

    /** What the elements taken so far state for programs. */
    public StatedContent stated() {
        return linkedData.stated();
    }

    /** What a document states for programs. */
    public static StatedContent stated(Document document) {
        LinkedData linkedData = new LinkedData();
        document.select(SCRIPTS).forEach(script -> read(script, linkedData));
        return linkedData.stated();
    }

    private static void read(Element script, LinkedData linkedData) {
        if (script.attr("type").toLowerCase(Locale.ROOT).contains("ld+json")) {
            String data = script.data();
            linkedData.read(data.isEmpty() ? script.wholeText() : data);
        }
    }

    private void meta(Element element) {
        String content = element.attr("content");
        // Either attribute is often taken for the other.
        for (String attribute : new String[]{"property", "name", "itemprop"}) {
            String name = element.attr(attribute).strip().toLowerCase(Locale.ROOT);
            Fact open = OPEN_GRAPH.get(name);
            Fact other = META.get(name);
            if (open != null) {
                facts.offer(open, Trust.OPEN_GRAPH, content);
            } else if (other != null && !attribute.equals("itemprop")) {
                facts.offer(other, Trust.META, content);
            } else if (name.equals("twitter:label1")) {
                label = content;
            } else if (name.equals("twitter:data1") && FactReader.precedesName(label)) {
                facts.offer(Fact.AUTHOR, Trust.META, content);
            }
        }
        microdata(element);
    }

    private void image(Element element) {
        if (element.attr("rel").equalsIgnoreCase("image_src")) {
            facts.offer(Fact.IMAGE, Trust.META, element.attr("href"));
        }
    }

    private void microdata(Element element) {
        String property = element.attributes().get("itemprop");
        if (property.isEmpty()) {
            facts.offer(Fact.TYPE, Trust.MICRODATA, element.attributes().get("itemtype"));
            return;
        }
        Fact fact = PROPERTIES.get(property.strip().toLowerCase(Locale.ROOT));
        if (fact != null && facts.wants(fact, Trust.MICRODATA) && bylines.isOfThePage(element)) {
            facts.offer(fact, Trust.MICRODATA, fact == Fact.AUTHOR ? person(element) : value(element));
        }
    }

    private static String value(Element element) {
        for (String attribute : new String[]{"content", "datetime"}) {
            if (element.hasAttr(attribute)) {
                return element.attr(attribute);
            }
        }
        return Bylines.shown(element);
    }

    /** The name of an author, who may be an item with an image and links. */
    private static String person(Element element) {
        Element name = element.hasAttr("itemscope") ? element.selectFirst("[itemprop=name]") : null;
        return value(name == null ? element : name);
    }

    /** The fields of the item. @param absolute resolves a reference of the page */
    public Map<String, Object> fields(Function<String, Optional<String>> absolute) {
        linkedData.offer(facts);
        Map<String, Object> fields = new LinkedHashMap<>();
        FIELDS.forEach((name, fact) -> facts.value(fact, absolute).ifPresent(value -> fields.put(name, value)));
        return fields;
    }
}
