package io.trawl.analyzer.extract;

import io.trawl.api.Page;
import io.trawl.api.Parsed;
import io.trawl.api.ResponseParser;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.Parser;
import org.jsoup.select.NodeTraversor;

/**
 * The built-in parser of text other than HTML. The field {@code text} (only if the crawl wants it) is the whole body;
 * of XML the text of its elements, a line each, in which a feed's HTML is read as a page would be; a feed has a
 * {@code title}, too. The URLs in text and JSON are links, if the crawl wants them. Thread-safe.
 */
public final class TextParser implements ResponseParser, BoundedDocument.DocumentReader {
    /** The name by which requests select this parser. */
    public static final String NAME = "text";
    private static final int LONGEST_TITLE = 1_000;
    private final ThreadLocal<DocumentParser> xml;
    private final ThreadLocal<DocumentParser> html;

    /** @param mostNodes the largest number of elements, attributes and tags of an XML document that the parser reads */
    public TextParser(int mostNodes) {
        this.xml = ThreadLocal.withInitial(() -> new DocumentParser(Parser::xmlParser, mostNodes));
        this.html = ThreadLocal.withInitial(() -> new DocumentParser(DocumentParser::html, mostNodes));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean handles(Page page) {
        return page.isText();
    }

    @Override
    public Parsed parse(Page page) {
        if (page.contentType().endsWith("xml")) {
            return page.textWanted() ? markup(page) : Parsed.fields(Map.of());
        }
        Map<String, Object> fields = page.textWanted() ? Map.of("text", page.text()) : Map.of();
        return page.linkKinds().contains("text")
                ? Parsed.of(fields, PlainUrls.in(page.text(), page.contentType().contains("json")))
                : Parsed.fields(fields);
    }

    /** Of XML. */
    @Override
    public BoundedDocument document(Page page) {
        return BoundedDocument.of(page, memory -> xml.get().parse(page.text(), memory));
    }

    private Parsed markup(Page page) {
        BoundedDocument bounded = document(page);
        Document document = bounded.document();
        Map<String, Object> fields = new LinkedHashMap<>();
        Element title = document.selectFirst("channel > title, feed > title");
        if (title != null) {
            String text = WhiteSpace.collapse(title.wholeText());
            fields.put("title", text.substring(0, Math.min(text.length(), LONGEST_TITLE)));
        }
        fields.put("text",
                text(document, document.selectFirst("rss, feed, rdf|RDF") != null, BoundedDocument.memory(page)));
        return new Parsed(fields, java.util.Optional.empty(), java.util.Optional.empty(),
                io.trawl.api.RobotsDirectives.NONE, bounded.cut());
    }

    private String text(Document document, boolean feed, DocumentMemory memory) {
        StringBuilder out = new StringBuilder();
        NodeTraversor.traverse((Node node, int depth) -> {
            if (node instanceof TextNode part) {
                String whole = part.getWholeText();
                String text = feed && whole.indexOf('<') >= 0 ? readable(whole, memory) : WhiteSpace.collapse(whole);
                if (!text.isEmpty()) {
                    out.append(out.isEmpty() ? "" : "\n").append(text);
                }
            }
        }, document);
        return out.toString();
    }

    /** The text of an entry's HTML. */
    private String readable(String markup, DocumentMemory memory) {
        return TextWriter.write(html.get().parse(markup, memory).document(), markup.length() / 2,
                Boilerplate::invisible);
    }
}
