package io.trawl.analyzer.extract;

import io.trawl.analyzer.metadata.PageMetadata;
import io.trawl.analyzer.metadata.WrittenDates;
import io.trawl.api.Page;
import io.trawl.api.Parsed;
import io.trawl.api.ResponseParser;
import io.trawl.extract.markdown.Markdown;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.ParseSettings;
import org.jsoup.parser.Parser;

/**
 * The built-in parser of HTML and XHTML pages. Fields, each only if the page has it: {@code title},
 * {@code description}, {@code lang}, {@code canonical} (absolute), those of {@link PageMetadata}, {@code text} and
 * {@code markdown} with {@code headingIds}, the main text (only if the crawl wants them). A page with more nodes than
 * allowed is read up to the last allowed one. Each thread keeps its own jsoup parser, since its construction costs as
 * much as a small page. Thread-safe.
 */
public final class HtmlParser implements ResponseParser, BoundedDocument.DocumentReader {
    /** The name by which requests select this parser. */
    public static final String NAME = "html";
    private static final String XHTML = "application/xhtml+xml";
    private static final int LONGEST_TITLE = 1_000;
    private static final int LONGEST_DESCRIPTION = 4_000;
    private static final int LONGEST_LANG = 100;
    private final WrittenDates dates = new WrittenDates();
    private final ThreadLocal<DocumentParser> html;
    private final ThreadLocal<DocumentParser> xhtml;

    /** @param mostNodes the largest number of elements, attributes and tags that the parser reads of a page */
    public HtmlParser(int mostNodes) {
        this.html = ThreadLocal.withInitial(() -> new DocumentParser(DocumentParser::html, mostNodes));
        this.xhtml = ThreadLocal.withInitial(
                () -> new DocumentParser(() -> Parser.xmlParser().settings(ParseSettings.htmlDefault), mostNodes));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean handles(Page page) {
        return page.isHtml();
    }

    @Override
    public Parsed parse(Page page) {
        BoundedDocument bounded = document(page);
        Document document = bounded.document();
        HtmlMetadata facts = HtmlMetadata.read(document, page, dates);
        Optional<String> base = facts.base().flatMap(href -> page.resolve(page.url(), href));
        String from = base.orElse(page.url());
        if (page instanceof BoundedDocument.Shared shared) {
            facts.refresh().ifPresent(to -> page.resolve(from, to.url())
                    .ifPresent(url -> shared.refreshes(new PageRefresh(to.seconds(), url))));
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        put(fields, "title", facts.title(), LONGEST_TITLE);
        put(fields, "description", facts.description(), LONGEST_DESCRIPTION);
        put(fields, "lang", facts.lang(), LONGEST_LANG);
        facts.canonical().flatMap(href -> page.resolve(from, href)).ifPresent(url -> fields.put("canonical", url));
        fields.putAll(facts.metadata().fields(href -> page.resolve(from, href)));
        if ((page.textWanted() || page.markdownWanted()) && !facts.robots().noindex()) {
            mainText(fields, page, from, ReadableText.read(document, Set.of(), facts.metadata().stated()));
        }
        return new Parsed(fields, base, Optional.of(facts.links()), facts.robots(), bounded.cut());
    }

    /** Adds the main text in the forms that the crawl wants. */
    private static void mainText(Map<String, Object> fields, Page page, String base, ReadableText main) {
        if (page.textWanted()) {
            fields.put("text", main.text());
        }
        if (page.markdownWanted()) {
            Element content = main.markup();
            fields.put("markdown", Markdown.of(content, page, base));
            List<Map<String, String>> ids = HeadingIds.of(content);
            if (!ids.isEmpty()) {
                fields.put("headingIds", ids);
            }
        }
    }

    /** Selectors on the document that this parser reads, as far as it reads it. */
    public PageSelectors selectors(Page page) {
        return new PageSelectors(document(page).document());
    }

    @Override
    public BoundedDocument document(Page page) {
        ThreadLocal<DocumentParser> mine = page.contentType().equals(XHTML) ? xhtml : html;
        return BoundedDocument.of(page, memory -> mine.get().parse(page.text(), memory));
    }

    @Override
    public Element content(Page page) {
        return ReadableText.read(document(page).document()).markup();
    }

    private static void put(Map<String, Object> fields, String name, Optional<String> value, int longest) {
        value.filter(text -> !text.isEmpty())
                .ifPresent(text -> fields.put(name, text.length() > longest ? cut(text, longest) : text));
    }

    private static String cut(String text, int longest) {
        return text.substring(0, Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest);
    }
}
