package io.trawl.analyzer.extract;

import java.util.List;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;

/** What selectors find in the document that the parser of HTML reads. Not thread-safe. */
public final class PageSelectors {
    private final Document document;

    PageSelectors(Document document) {
        this.document = document;
    }

    /** The document itself, for those who look for selectors. */
    public Document document() {
        return document;
    }

    /** The text of each element that a CSS selector finds. @throws IllegalArgumentException if it is none */
    public List<String> css(String selector) {
        try {
            return document.select(selector).stream().map(PageSelectors::text).toList();
        } catch (IllegalStateException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** The text of each element or text that an XPath finds. @throws IllegalArgumentException if it is none */
    public List<String> xpath(String path) {
        try {
            return document.selectXpath(path, Node.class).stream().map(PageSelectors::text).toList();
        } catch (IllegalStateException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Of an element without text, the element itself. */
    private static String text(Node node) {
        String text = switch (node) {
            case Element element -> element.text();
            case TextNode plain -> plain.text();
            default -> node.outerHtml();
        };
        return text.isBlank() ? node.outerHtml().replaceAll("\\s+", " ") : text;
    }
}
