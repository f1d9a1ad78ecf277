package io.trawl.analyzer.parse;

import io.trawl.admission.BaseUrl;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.analyzer.parse.ParsedPage.PageError;
import io.trawl.analyzer.sitemap.SitemapParser;
import io.trawl.api.Link;
import io.trawl.api.Parsed;
import io.trawl.api.RobotsDirectives;
import io.trawl.extract.Extraction.ExtractedItems;
import io.trawl.model.FetchOptions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;

/** What the parsers and the rules of a crawl make of one page, merged into one result. Not thread-safe. */
final class ParserResults {
    /** A hostile page must not fill the heap with items. */
    private static final int MOST_ITEMS = 10_000;
    private static final int MOST_ERRORS = 100;
    private static final int LONGEST_ERROR = 500;
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

    ParserResults(FetchedPage page, int mostLinks) {
        this.page = page;
        this.links = page.source() ? PageBudget.SITEMAP : PageBudget.LINKS;
        this.linkCollector = page.source()
                ? new LinkCollector(false, SitemapParser.MOST_URLS, FetchOptions.LARGEST_SITEMAP)
                : new LinkCollector(page.fragmentsWanted(), mostLinks,
                        Math.max(LEAST_CHARACTERS, page.response().body().length() * CHARACTERS_PER_BYTE));
        this.robots = RobotsDirectives.ofHeader(page.header("x-robots-tag"), page.productToken(), page::isPast);
        cut(page.truncation(), page.truncated());
        if (page.makesItems() && page.linkKinds().contains("refresh")) {
            page.headerRefresh().ifPresent(to -> linkCollector.add(BaseUrl.of(new NormalUrl(page.url())), Parsers.FIRST,
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
                    !linkCollector.add(BaseUrl.of(new NormalUrl(parsed.base().orElse(page.url())), page.linkCharset()),
                            parser, found));
        });
        int room = Math.min(parsed.items().size(), roomForItems());
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
        extracted.leftOut()
                .forEach(left -> errors.add(new PageError(PageError.FIELD + left.field(), left.cause(), left.count())));
        cut(PageBudget.ITEMS, extracted.cut());
    }

    /** The fields, as far as they are known. */
    Map<String, Object> fields() {
        return fields;
    }

    /** How many items the page may have further. */
    int roomForItems() {
        return MOST_ITEMS - items.size();
    }

    void failed(PageError error) {
        errors.add(error);
    }

    void failed(String parser, String cause) {
        failed(new PageError(PageError.PARSE, "parser '" + parser + "': "
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
