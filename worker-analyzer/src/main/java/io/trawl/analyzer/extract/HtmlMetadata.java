package io.trawl.analyzer.extract;

import io.trawl.analyzer.metadata.PageMetadata;
import io.trawl.analyzer.metadata.WrittenDates;
import io.trawl.api.Link;
import io.trawl.api.LinkOptions;
import io.trawl.api.Page;
import io.trawl.api.RobotsDirectives;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.stream.Stream;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.parser.Parser;
import org.jsoup.select.NodeTraversor;
import org.jsoup.select.NodeVisitor;

/** The metadata and links of a document, collected in one traversal of the DOM. */
final class HtmlMetadata implements NodeVisitor {
    private static final List<String> RELATIONS = List.of("next", "prev", "alternate", "canonical");
    /** The request of a feed: for the parser of sitemaps, which a plug-in would name in the same way. */
    private static final LinkOptions FEED = LinkOptions.NONE.withParser("sitemap").withFetcher("http");
    private static final Set<String> FOREIGN = Set.of(Parser.NamespaceSvg, Parser.NamespaceMathml);
    /** SVG 2 section 16.2: where {@code href} is missing. */
    private static final String OLD_HREF = "xlink:href";
    private static final Set<String> FEEDS = Set.of("application/rss+xml", "application/atom+xml");
    private final Page page;
    private final LinkSearch search;
    private final Set<Element> regions;
    private int within;
    private final Map<String, Link> links = new LinkedHashMap<>();
    private final Map<String, Link> feeds = new LinkedHashMap<>();
    private final Requisites requisites;
    private final PageMetadata metadata;
    private Optional<String> base = Optional.empty();
    private Optional<String> title = Optional.empty();
    private Optional<String> description = Optional.empty();
    private Optional<String> socialDescription = Optional.empty();
    private Optional<String> lang = Optional.empty();
    private Optional<String> canonical = Optional.empty();
    private Optional<PageRefresh> refresh = Optional.empty();
    private RobotsDirectives robots = RobotsDirectives.NONE;

    private HtmlMetadata(Page page, LinkSearch search, Set<Element> regions, WrittenDates dates) {
        this.page = page;
        this.search = search;
        this.regions = regions;
        this.requisites = new Requisites(page.requisiteKinds());
        this.metadata = new PageMetadata(dates, page.fetchedAt(), () -> lang.orElse(""));
    }

    /** Reads the document of a page. */
    static HtmlMetadata read(Document document, Page page, WrittenDates dates) {
        LinkSearch search = LinkSearch.of(page);
        HtmlMetadata facts = new HtmlMetadata(page, search, search.selected(document), dates);
        NodeTraversor.traverse(facts, document);
        return facts;
    }

    @Override
    public void head(Node node, int depth) {
        if (node instanceof Element element) {
            within += regions.contains(element) ? 1 : 0;
            requisites.add(element);
            metadata.add(element);
            switch (element.normalName()) {
                case "a" -> link("a", element, "href");
                case "area" -> link("area", element, "href");
                case "frame", "iframe" -> link("frame", element, "src");
                case "html" -> lang(element);
                case "title" -> title(element);
                case "meta" -> meta(element);
                case "link" -> related(element);
                case "base" -> base = base.or(() -> attribute(element, "href"));
                default -> {
                    // Not metadata of the document.
                }
            }
        }
    }

    @Override
    public void tail(Node node, int depth) {
        within -= node instanceof Element element && regions.contains(element) ? 1 : 0;
    }

    /** A reference in the text of the page. */
    private void link(String kind, Element element, String attribute) {
        if (element.hasAttr(attribute)) {
            link(kind, element, element.attr(attribute), true);
        } else if (element.hasAttr(OLD_HREF) && foreign(element)) {
            link(kind, element, element.attr(OLD_HREF), true);
        }
    }

    private void link(String kind, Element element, String href, boolean inText) {
        if (!search.wants(kind) || inText && within == 0 && !search.regions().isEmpty()) {
            return;
        }
        // A link is followed if one of its occurrences permits it.
        String rel = element.attr("rel");
        boolean nofollow = hasWord(rel, "nofollow");
        Link known = links.get(href);
        if (known == null || known.nofollow() && !nofollow || search.anchors() && known.text().isEmpty()) {
            links.put(href,
                    search.anchors()
                            ? AnchorText.link(href, nofollow && (known == null || known.nofollow()), element, rel)
                            : new Link(href, nofollow));
        }
    }

    /** A reference of the document, which stands in its head and so in no region. */
    private void related(Element element) {
        canonical(element);
        String href = element.attr("href");
        String rel = element.attr("rel");
        if (href.isEmpty()) {
            return;
        }
        if (search.feeds() && hasWord(rel, "alternate")
                && FEEDS.contains(element.attr("type").strip().toLowerCase(Locale.ROOT))) {
            feeds.putIfAbsent(href, Link.to(href).with(FEED));
            return;
        }
        for (String kind : RELATIONS) {
            if (search.wants(kind) && hasWord(rel, kind)) {
                link(kind, element, href, false);
            }
        }
    }

    private void refresh(Element element) {
        Optional<PageRefresh> found = PageRefresh.of(element.attr("content"));
        found.ifPresent(to -> link("refresh", element, to.url(), false));
        refresh = refresh.or(() -> found);
    }

    private void lang(Element element) {
        lang = lang.or(() -> attribute(element, "lang")).or(() -> attribute(element, "xml:lang"));
    }

    private void title(Element element) {
        if (title.isEmpty() && !foreign(element)) {
            title = Optional.of(WhiteSpace.collapse(element.wholeText()));
        }
    }

    /** Whether it is one of SVG or MathML, which have elements with names of HTML. */
    private static boolean foreign(Element element) {
        return FOREIGN.contains(element.tag().namespace());
    }

    private void meta(Element element) {
        String content = element.attr("content");
        String name = element.attr("name").strip().toLowerCase(Locale.ROOT);
        if (name.equals("description") && description.isEmpty()) {
            description = Optional.of(WhiteSpace.collapse(content));
        } else if (element.attr("property").equalsIgnoreCase("og:description") && socialDescription.isEmpty()) {
            socialDescription = Optional.of(WhiteSpace.collapse(content));
        } else if (element.attr("http-equiv").equalsIgnoreCase("content-language") && lang.isEmpty()) {
            lang = Optional.of(content.strip()).filter(text -> !text.isEmpty());
        } else if (element.attr("http-equiv").equalsIgnoreCase("refresh")) {
            refresh(element);
        }
        robots = robots.and(RobotsDirectives.ofMeta(name, content, page.productToken(), page::isPast));
    }

    private void canonical(Element element) {
        if (canonical.isEmpty() && hasWord(element.attr("rel"), "canonical")) {
            canonical = attribute(element, "href");
        }
    }

    private static Optional<String> attribute(Element element, String name) {
        return Optional.of(element.attr(name).strip()).filter(value -> !value.isEmpty());
    }

    private static boolean hasWord(String words, String word) {
        // A tokenizer, not a list: an attribute may be megabytes long.
        for (StringTokenizer all = new StringTokenizer(words); all.hasMoreTokens();) {
            if (all.nextToken().equalsIgnoreCase(word)) {
                return true;
            }
        }
        return false;
    }

    Optional<String> base() {
        return base;
    }

    Optional<String> title() {
        return title;
    }

    Optional<String> description() {
        return description.filter(text -> !text.isEmpty()).or(() -> socialDescription);
    }

    Optional<String> lang() {
        return lang;
    }

    Optional<String> canonical() {
        return canonical;
    }

    /** What it says about its author, dates, site and kind. */
    PageMetadata metadata() {
        return metadata;
    }

    /** The first one. */
    Optional<PageRefresh> refresh() {
        return refresh;
    }

    RobotsDirectives robots() {
        return robots;
    }

    /** The links in document order, without duplicates, as written; then feeds and requisites. */
    List<Link> links() {
        return Stream.of(links.values(), feeds.values(), requisites.links()).flatMap(Collection::stream).toList();
    }
}
