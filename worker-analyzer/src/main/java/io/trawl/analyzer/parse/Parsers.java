package io.trawl.analyzer.parse;

import io.trawl.admission.BaseUrl;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.Refusal;
import io.trawl.admission.UrlNormalizer;
import io.trawl.analyzer.extract.BoundedDocument;
import io.trawl.analyzer.extract.DocumentMemory;
import io.trawl.analyzer.extract.HtmlParser;
import io.trawl.analyzer.extract.StyleSheetParser;
import io.trawl.analyzer.extract.TextParser;
import io.trawl.analyzer.parse.ParsedPage.PageError;
import io.trawl.analyzer.language.TextLanguage;
import io.trawl.analyzer.sitemap.RobotsSitemaps;
import io.trawl.analyzer.sitemap.SitemapParser;
import io.trawl.api.Link;
import io.trawl.api.Parsed;
import io.trawl.api.ResponseParser;
import io.trawl.api.RobotsDirectives;
import io.trawl.extract.Extraction;
import io.trawl.extract.Extraction.ExtractedItems;
import io.trawl.extract.rule.ItemRule;
import io.trawl.extract.PageSource;
import io.trawl.model.FetchOptions;
import io.trawl.model.InvalidValueException;
import io.trawl.model.RefusalReason;
import io.trawl.plugin.Plugins;
import io.trawl.telemetry.ProcessLog.LogKeys;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    private static final String FIRST = "html";
    /** A hostile page must not fill the heap with items. */
    private static final int MOST_ITEMS = 10_000;
    private static final int MOST_ERRORS = 100;
    private static final int LONGEST_ERROR = 500;
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
        Merge merge = new Merge(page, mostLinks);
        List<String> wanted = page.parsers();
        wanted.stream().filter(name -> !byName.containsKey(name)).forEach(
                name -> merge.failed(name, "unknown parser; available: " + String.join(", ", byName.keySet())));
        byName.values().stream().filter(p -> wanted.isEmpty() || wanted.contains(p.name()))
                .forEach(p -> parse(p, page, merge));
        if (page.makesItems()) {
            extract(page, merge);
            merge.language(languages);
        }
        return merge.result(textLength(page, merge));
    }

    /** The number of characters of the text; asked of pages that lead elsewhere by themselves. */
    private IntSupplier textLength(FetchedPage page, Merge merge) {
        return () -> merge.fields.get("text") instanceof String text
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
    private void extract(FetchedPage page, Merge merge) {
        Optional<BoundedDocument.DocumentReader> reader = reader(page);
        Optional<Supplier<Document>> document = reader.map(one -> () -> one.document(page).document());
        Optional<Supplier<Element>> content = reader.map(one -> () -> one.content(page));
        try {
            merge.add(page.extraction().extract(new PageSource(page, document, merge.fields, content),
                    MOST_ITEMS - merge.items.size()));
        } catch (DocumentMemory.NotEnoughException e) {
            throw e;
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            LOG.atDebug().addKeyValue(LogKeys.CRAWL, page.response().run().crawl()).addKeyValue(LogKeys.URL, page.url())
                    .setCause(e).log("the extraction from {} failed", page.url());
            merge.errors.add(new PageError(PageError.EXTRACT, "the rules of the crawl failed on this page: " + e));
        }
    }

    private static void parse(ResponseParser parser, FetchedPage page, Merge merge) {
        try {
            if (parser.handles(page)) {
                merge.add(parser.name(), parser.parse(page));
            }
        } catch (DocumentMemory.NotEnoughException e) {
            throw e;
        } catch (Exception | Error e) {
            // A plug-in may throw anything, and a page may exhaust the stack or the heap: only this parser's result for
            // this page is lost.
            LOG.atDebug().addKeyValue(LogKeys.CRAWL, page.response().run().crawl()).addKeyValue(LogKeys.URL, page.url())
                    .setCause(e).log("parser {} failed on {}", parser.name(), page.url());
            merge.failed(parser.name(), e.toString());
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

    private static final class Merge {
        /** The characters of the links of a small page. */
        private static final long LEAST_CHARACTERS = 256 << 10;
        /** A short reference becomes a URL as long as the base allows. Usual pages make less of themselves. */
        private static final long CHARACTERS_PER_BYTE = 8;
        private final FetchedPage page;
        private final Map<String, Object> fields = new LinkedHashMap<>();
        private final LinkCollector linkCollector;
        private final List<ParsedPage.FurtherItem> items = new ArrayList<>();
        private final List<PageError> errors = new ArrayList<>();
        private final Set<PageBudget> cuts = EnumSet.noneOf(PageBudget.class);
        private final PageBudget links;
        private boolean linksExtracted;
        private int succeeded;
        private RobotsDirectives robots;

        Merge(FetchedPage page, int mostLinks) {
            this.page = page;
            this.links = page.source() ? PageBudget.SITEMAP : PageBudget.LINKS;
            this.linkCollector = page.source()
                    ? new LinkCollector(false, SitemapParser.MOST_URLS, FetchOptions.LARGEST_SITEMAP)
                    : new LinkCollector(page.fragmentsWanted(), mostLinks,
                            Math.max(LEAST_CHARACTERS, page.response().body().length() * CHARACTERS_PER_BYTE));
            this.robots = RobotsDirectives.ofHeader(page.header("x-robots-tag"), page.productToken(), page::isPast);
            cut(page.truncation(), page.truncated());
            if (page.makesItems() && page.linkKinds().contains("refresh")) {
                page.headerRefresh().ifPresent(to -> linkCollector.add(BaseUrl.of(new NormalUrl(page.url())), FIRST,
                        List.of(Link.to(to.url()))));
            }
        }

        private void cut(PageBudget budget, boolean exceeded) {
            if (exceeded) {
                cuts.add(budget);
            }
        }

        void add(String parser, Parsed parsed) {
            fields.putAll(parsed.fields());
            robots = robots.and(parsed.robots());
            cut(page.source() ? links : PageBudget.NODES, parsed.truncated());
            parsed.links().ifPresent(found -> {
                linksExtracted = true;
                cut(links,
                        !linkCollector.add(
                                BaseUrl.of(new NormalUrl(parsed.base().orElse(page.url())), page.linkCharset()), parser,
                                found));
            });
            int room = Math.min(parsed.items().size(), MOST_ITEMS - items.size());
            cut(PageBudget.ITEMS, room < parsed.items().size());
            for (int i = 0; i < room; i++) {
                items.add(new ParsedPage.FurtherItem(parser, false, i + 1, Optional.empty(), parsed.items().get(i)));
            }
            parsed.errors().stream().limit(MOST_ERRORS).forEach(cause -> failed(parser, cause));
            succeeded++;
        }

        void add(ExtractedItems extracted) {
            extracted.items().forEach(item -> items
                    .add(new ParsedPage.FurtherItem(item.type(), true, item.ordinal(), item.key(), item.fields())));
            extracted.errors().forEach(cause -> errors.add(new PageError(PageError.EXTRACT, cause)));
            extracted.leftOut().forEach(
                    left -> errors.add(new PageError(PageError.FIELD + left.field(), left.cause(), left.count())));
            cut(PageBudget.ITEMS, extracted.cut());
        }

        void failed(String parser, String cause) {
            errors.add(new PageError(PageError.PARSE, "parser '" + parser + "': "
                    + (cause.length() > LONGEST_ERROR ? cause.substring(0, LONGEST_ERROR) + "…" : cause)));
        }

        /** Tells the language of the text, whichever parser has read it. */
        void language(TextLanguage languages) {
            if (page.languageWanted() && fields.get("text") instanceof String text) {
                languages.of(text).ifPresent(told -> {
                    fields.put(ParsedPage.DETECTED_LANGUAGE, told.code());
                    fields.put(ParsedPage.LANGUAGE_CONFIDENCE, told.confidence());
                });
            }
        }

        /** @param textLength of the page */
        ParsedPage result(IntSupplier textLength) {
            Optional<ParsedPage.Onward> onward = page.refresh()
                    .filter(to -> !to.url().equals(page.url()) && textLength.getAsInt() < ParsedPage.Onward.LEAST_TEXT)
                    .map(to -> new ParsedPage.Onward(new NormalUrl(to.url()), to.seconds()));
            if (!page.textStored()) {
                fields.remove("text");
            }
            boolean some = !page.requisiteKinds().isEmpty();
            List<ParsedPage.LinkTarget> targets = linkCollector.targets();
            List<ParsedPage.LinkTarget> toPages = some
                    ? targets.stream().filter(target -> !target.requisite()).toList()
                    : targets;
            List<ParsedPage.LinkTarget> requisites = some
                    ? targets.stream().filter(ParsedPage.LinkTarget::requisite).toList()
                    : List.of();
            return new ParsedPage(page.contentType(), page.encoding(), fields,
                    linksExtracted ? Optional.of(toPages) : Optional.empty(), requisites, linkCollector.refused(),
                    linkCollector.strays(), robots, items, errors, cuts, onward,
                    succeeded == 0 && errors.stream().anyMatch(error -> error.kind().equals(PageError.PARSE)));
        }
    }

    /**
     * Collects the links of one page: resolved, in normal form, in the order found, one for each request, or for each
     * fragment of one.
     */
    private static final class LinkCollector {
        /** Limit for the list in a preview. */
        private static final int MOST_STRAYS = 200;
        private final Map<String, ParsedPage.LinkTarget> targets = new LinkedHashMap<>();
        private final Map<RefusalReason, Integer> refused = new EnumMap<>(RefusalReason.class);
        private final Set<ParsedPage.Stray> strays = new LinkedHashSet<>();
        private final boolean fragments;
        private final int most;
        private long charactersLeft;

        /**
         * @param fragments whether links that differ by them are several
         * @param most the number of links after which the rest is ignored
         * @param characters of all links, after which the rest is ignored
         */
        LinkCollector(boolean fragments, int most, long characters) {
            this.fragments = fragments;
            this.most = most;
            this.charactersLeft = characters;
        }

        /** @return whether there was room for all of them */
        boolean add(BaseUrl base, String parser, List<Link> links) {
            for (Link link : links) {
                if (targets.size() >= most || charactersLeft <= 0) {
                    return false;
                }
                switch (base.resolve(link.href())) {
                    case NormalUrl url -> add(ParsedPage.LinkTarget.of(url,
                            fragments ? UrlNormalizer.fragment(link.href()) : "", link, parser));
                    case Refusal no -> refuse(link.href(), no);
                }
            }
            return true;
        }

        private void add(ParsedPage.LinkTarget link) {
            int before = targets.size();
            targets.merge(link.identity() + link.fragment(), link, ParsedPage.LinkTarget::and);
            if (targets.size() > before) {
                charactersLeft -= link.shown().length() + link.options().body().map(String::length).orElse(0);
            }
        }

        private void refuse(String reference, Refusal no) {
            refused.merge(no.reason(), 1, Integer::sum);
            if (strays.size() < MOST_STRAYS) {
                strays.add(new ParsedPage.Stray(UrlNormalizer.shown(reference), no));
            }
        }

        List<ParsedPage.Stray> strays() {
            return List.copyOf(strays);
        }

        List<ParsedPage.LinkTarget> targets() {
            return List.copyOf(targets.values());
        }

        Map<RefusalReason, Integer> refused() {
            return refused;
        }
    }
}
