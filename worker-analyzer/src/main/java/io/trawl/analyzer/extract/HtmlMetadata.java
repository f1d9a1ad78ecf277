package io.trawl.analyzer.extract;

import io.trawl.api.Link;
import io.trawl.api.RobotsDirectives;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringTokenizer;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.select.NodeTraversor;
import org.jsoup.select.NodeVisitor;

/** The metadata and links of a document, collected in one traversal of the DOM. */
final class HtmlMetadata implements NodeVisitor {
    private final String agent;
    private final boolean anchors;
    private final Map<String, Link> links = new LinkedHashMap<>();
    private Optional<String> base = Optional.empty();
    private Optional<String> title = Optional.empty();
    private Optional<String> description = Optional.empty();
    private Optional<String> socialDescription = Optional.empty();
    private Optional<String> lang = Optional.empty();
    private Optional<String> canonical = Optional.empty();
    private RobotsDirectives robots = RobotsDirectives.NONE;

    private HtmlMetadata(String agent, boolean anchors) {
        this.agent = agent;
        this.anchors = anchors;
    }

    /**
     * @param agent this crawler's token in robots meta elements, in lower case
     * @param anchors whether links have their text and types
     */
    static HtmlMetadata read(Document document, String agent, boolean anchors) {
        HtmlMetadata facts = new HtmlMetadata(agent, anchors);
        NodeTraversor.traverse(facts, document);
        return facts;
    }

    @Override
    public void head(Node node, int depth) {
        if (node instanceof Element element) {
            switch (element.normalName()) {
                case "a", "area" -> link(element, "href");
                case "frame", "iframe" -> link(element, "src");
                case "html" -> lang(element);
                case "title" -> title(element);
                case "meta" -> meta(element);
                case "link" -> canonical(element);
                case "base" -> base = base.or(() -> attribute(element, "href"));
                default -> {
                    // Not metadata of the document.
                }
            }
        }
    }

    private void link(Element element, String attribute) {
        if (element.hasAttr(attribute)) {
            // A link is followed if one of its occurrences permits it.
            String href = element.attr(attribute);
            String rel = element.attr("rel");
            boolean nofollow = hasWord(rel, "nofollow");
            Link known = links.get(href);
            if (known == null || known.nofollow() && !nofollow || anchors && known.text().isEmpty()) {
                links.put(href, anchors
                        ? AnchorText.link(href, nofollow && (known == null || known.nofollow()), element, rel)
                        : new Link(href, nofollow));
            }
        }
    }

    private void lang(Element element) {
        lang = lang.or(() -> attribute(element, "lang")).or(() -> attribute(element, "xml:lang"));
    }

    private void title(Element element) {
        Element parent = element.parent();
        if (title.isEmpty() && (parent == null || !parent.normalName().equals("svg"))) {
            title = Optional.of(WhiteSpace.collapse(element.wholeText()));
        }
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
        }
        robots = robots.and(RobotsDirectives.ofMeta(name, content, agent));
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

    RobotsDirectives robots() {
        return robots;
    }

    /** The links in document order, without duplicates, as written. */
    List<Link> links() {
        return List.copyOf(links.values());
    }
}
