package io.trawl.analyzer.parse;

import io.trawl.analyzer.extract.BoundedDocument;
import io.trawl.analyzer.extract.DocumentMemory;
import io.trawl.analyzer.extract.HtmlParser;
import io.trawl.analyzer.extract.StyleSheetParser;
import io.trawl.analyzer.extract.TextParser;
import io.trawl.analyzer.parse.ParsedPage.PageError;
import io.trawl.analyzer.sitemap.RobotsSitemaps;
import io.trawl.analyzer.sitemap.SitemapParser;
import io.trawl.api.ResponseParser;
import io.trawl.extract.Extraction;
import io.trawl.extract.rule.ItemRule;
import io.trawl.extract.PageSource;
import io.trawl.model.InvalidValueException;
import io.trawl.plugin.Plugins;
import io.trawl.telemetry.ProcessLog.LogKeys;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All response parsers of this process. Merges their results (S12): later parsers replace fields of earlier ones, links
 * and items are joined, and the robots directives of all of them apply. A parser that fails is reported and does not
 * affect the results of the others. Thread-safe if the parsers are.
 */
public final class Parsers {
    private static final Logger LOG = LoggerFactory.getLogger(Parsers.class);
    static final String FIRST = "html";
    private final Map<String, ResponseParser> byName = new LinkedHashMap<>();
    private final int mostLinks;
    private final CompiledRules extractions = new CompiledRules();
    private final TextLanguage languages = new TextLanguage();

    /**
     * @param parsers in any order; they run with {@code html} first, then by name
     * @param mostLinks the number of links of a page that are considered
     * @throws InvalidValueException if two have the same name
     */
    public Parsers(Iterable<ResponseParser> parsers, int mostLinks) {
        List<ResponseParser> sorted = new ArrayList<>();
        parsers.forEach(sorted::add);
        sorted.sort(Comparator.comparing((ResponseParser p) -> !p.name().equals(FIRST))
                .thenComparing(ResponseParser::name));
        for (ResponseParser parser : sorted) {
            if (byName.putIfAbsent(parser.name(), parser) != null) {
                throw new InvalidValueException("parser", parser.name(), "a name that no other parser has");
            }
        }
        this.mostLinks = mostLinks;
    }

    /**
     * The built-in parsers and those of the plug-ins.
     *
     * @param mostNodes the number of elements, attributes and tags of a page that a built-in parser reads
     */
    public static Parsers among(Plugins plugins, int mostLinks, int mostNodes) {
        List<ResponseParser> all = new ArrayList<>(plugins.of(ResponseParser.class));
        all.add(new HtmlParser(mostNodes));
        all.add(new TextParser(mostNodes));
        all.add(new RobotsSitemaps());
        all.add(new SitemapParser());
        all.add(new StyleSheetParser());
        return new Parsers(all, mostLinks);
    }

    /** The rules of a crawl, which are compiled once. */
    public Extraction extraction(List<ItemRule> rules) {
        return rules.isEmpty() ? Extraction.NONE : extractions.of(rules);
    }

    /** Their names, in the order in which they run. */
    public List<String> names() {
        return List.copyOf(byName.keySet());
    }

    /**
     * Runs every parser that handles the page, or only those that the crawl names, or only the one that the request
     * names.
     *
     * @throws DocumentMemory.NotEnoughException if the page has to be parsed again with more memory
     */
    public ParsedPage parse(FetchedPage page) {
        ParserResults results = new ParserResults(page, mostLinks);
        List<String> wanted = page.parsers();
        wanted.stream().filter(name -> !byName.containsKey(name)).forEach(
                name -> results.failed(name, "unknown parser; available: " + String.join(", ", byName.keySet())));
        byName.values().stream().filter(p -> wanted.isEmpty() || wanted.contains(p.name()))
                .forEach(p -> parse(p, page, results));
        if (page.makesItems()) {
            extract(page, results);
            results.language(languages);
        }
        return results.result(textLength(page, results));
    }

    /** The number of characters of the text; asked of pages that lead elsewhere by themselves. */
    private IntSupplier textLength(FetchedPage page, ParserResults results) {
        return () -> results.fields().get("text") instanceof String text
                ? text.length()
                : reader(page).map(reader -> reader.textLength(page))
                        .orElseGet(() -> page.isText() ? page.text().length() : 0);
    }

    /** Who reads the document of the page. */
    private Optional<BoundedDocument.DocumentReader> reader(FetchedPage page) {
        return byName.values().stream()
                .filter(parser -> page.isHtml() || page.isText() && page.contentType().endsWith("xml"))
                .filter(parser -> parser instanceof BoundedDocument.DocumentReader && parser.handles(page)).findFirst()
                .map(BoundedDocument.DocumentReader.class::cast);
    }

    /** Applies the rules of the crawl, whichever parsers have run. */
    private void extract(FetchedPage page, ParserResults results) {
        Optional<BoundedDocument.DocumentReader> reader = reader(page);
        Optional<Supplier<Document>> document = reader.map(one -> () -> one.document(page).document());
        Optional<Supplier<Element>> content = reader.map(one -> () -> one.content(page));
        try {
            results.add(page.extraction().extract(new PageSource(page, document, results.fields(), content),
                    results.roomForItems()));
        } catch (DocumentMemory.NotEnoughException e) {
            throw e;
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            LOG.atDebug().addKeyValue(LogKeys.CRAWL, page.response().run().crawl()).addKeyValue(LogKeys.URL, page.url())
                    .setCause(e).log("the extraction from {} failed", page.url());
            results.failed(new PageError(PageError.EXTRACT, "the rules of the crawl failed on this page: " + e));
        }
    }

    private static void parse(ResponseParser parser, FetchedPage page, ParserResults results) {
        try {
            if (parser.handles(page)) {
                results.add(parser.name(), parser.parse(page));
            }
        } catch (DocumentMemory.NotEnoughException e) {
            throw e;
        } catch (Exception | Error e) {
            // A plug-in may throw anything, and a page may exhaust the stack or the heap: only this parser's result for
            // this page is lost.
            LOG.atDebug().addKeyValue(LogKeys.CRAWL, page.response().run().crawl()).addKeyValue(LogKeys.URL, page.url())
                    .setCause(e).log("parser {} failed on {}", parser.name(), page.url());
            results.failed(parser.name(), e.toString());
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The rules of the crawls that were analysed last. Thread-safe. */
    private static final class CompiledRules {
        private static final int MOST = 100;
        private final Map<List<ItemRule>, Extraction> byRules = new LinkedHashMap<>();

        synchronized Extraction of(List<ItemRule> rules) {
            Extraction known = byRules.remove(rules);
            Extraction compiled = known == null ? compiled(rules) : known;
            byRules.put(rules, compiled);
            if (byRules.size() > MOST) {
                byRules.remove(byRules.keySet().iterator().next());
            }
            return compiled;
        }

        private static Extraction compiled(List<ItemRule> rules) {
            try {
                return Extraction.of(rules);
            } catch (InvalidValueException e) {
                // A coordinator of another version has accepted them.
                return Extraction.broken(e.getMessage());
            }
        }
    }
}
