package io.trawl.analyzer.extract;

import io.trawl.model.ProductToken;
import io.trawl.analyzer.parse.MediaTypes;
import io.trawl.analyzer.parse.Page;
import io.trawl.analyzer.parse.Parsed;
import io.trawl.analyzer.parse.ResponseParser;
import io.trawl.model.Response;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jsoup.nodes.Document;
import org.jsoup.parser.ParseSettings;
import org.jsoup.parser.Parser;

/**
 * The built-in parser of HTML and XHTML pages. Fields, each only if the page has it: {@code title}, {@code description}, {@code lang}, {@code canonical}
 * (absolute), {@code text} (only if the crawl wants it). Each thread keeps its own jsoup parser, since making one costs as much as a small page.
 * Thread-safe.
 */
public final class HtmlParser implements ResponseParser {
    /** What requests call this parser by. */
    public static final String NAME = "html";
    private static final int LONGEST_TITLE = 1_000;
    private static final int LONGEST_DESCRIPTION = 4_000;
    private static final int LONGEST_LANG = 100;
    private final ThreadLocal<Parser> html = ThreadLocal.withInitial(Parser::htmlParser);
    private final ThreadLocal<Parser> xhtml = ThreadLocal
            .withInitial(() -> Parser.xmlParser().settings(ParseSettings.htmlDefault));

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean handles(Response response) {
        return MediaTypes.isHtml(MediaTypes.of(response));
    }

    @Override
    public Parsed parse(Page page) {
        Document document = document(page);
        HtmlFacts facts = HtmlFacts.read(document, ProductToken.of(page.definition().userAgent()));
        Optional<String> base = facts.base().flatMap(href -> page.resolve(page.url(), href));
        String from = base.orElse(page.url());
        Map<String, Object> fields = new LinkedHashMap<>();
        put(fields, "title", facts.title(), LONGEST_TITLE);
        put(fields, "description", facts.description(), LONGEST_DESCRIPTION);
        put(fields, "lang", facts.lang(), LONGEST_LANG);
        facts.canonical().flatMap(href -> page.resolve(from, href)).ifPresent(url -> fields.put("canonical", url));
        if (page.definition().text() && !facts.robots().noindex()) {
            fields.put("text", ReadableText.of(document));
        }
        return new Parsed(fields, base, Optional.of(facts.links()), facts.robots());
    }

    private Document document(Page page) {
        ThreadLocal<Parser> mine = page.contentType().equals(MediaTypes.XHTML) ? xhtml : html;
        try {
            return mine.get().parseInput(page.text(), "");
        } catch (RuntimeException | Error e) {
            // Whatever state the parser is in now, the next page begins with a fresh one.
            mine.remove();
            throw e;
        }
    }

    private static void put(Map<String, Object> fields, String name, Optional<String> value, int longest) {
        value.filter(text -> !text.isEmpty())
                .ifPresent(text -> fields.put(name, text.length() > longest ? cut(text, longest) : text));
    }

    private static String cut(String text, int longest) {
        return text.substring(0, Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest);
    }
}
