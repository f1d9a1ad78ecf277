package io.trawl.analyzer.sitemap;

import io.trawl.analyzer.charset.DecodedText;
import io.trawl.api.Link;
import io.trawl.api.LinkOptions;
import io.trawl.api.Page;
import io.trawl.api.Parsed;
import io.trawl.api.ResponseParser;
import io.trawl.api.RobotsDirectives;
import io.trawl.model.FetchOptions;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads sitemaps, indexes of sitemaps, and feeds: XML, RSS, Atom or a list of URLs, also compressed with gzip. Their
 * URLs are links; those of an index are sitemaps again. A link has what the sitemap says about its page as metadata:
 * {@code sitemap.lastmod}, and of a sitemap in XML {@code sitemap.priority}, which is 0.5 if it gives none. A URL may
 * be on another host than its sitemap: the domains of the crawl decide, as for every link. What exceeds the limits of
 * sitemaps.org, 50 MB and 50,000 URLs, is left out. A damaged file is read as far as it can be ({@link SitemapReader});
 * the field {@value #NOT_TAKEN} has the number of entries that are lost. Thread-safe.
 */
public final class SitemapParser implements ResponseParser {
    /** The options of a request for a sitemap. */
    public static final LinkOptions REQUEST = LinkOptions.NONE.withParser(FetchOptions.SITEMAP)
            .withFetcher(FetchOptions.HTTP);
    /** The limit of sitemaps.org. */
    public static final int MOST_URLS = 50_000;
    /**
     * The field with the number of entries that are damaged; absent if there are none. No item has it, since sources
     * make none.
     */
    public static final String NOT_TAKEN = "entriesNotTaken";

    /**
     * The links of a file.
     *
     * @param notTaken entries that are damaged
     * @param known whether it is a sitemap, an index or a feed
     * @param exceeded whether it has more URLs than a sitemap may have
     */
    record SitemapLinks(List<Link> links, int notTaken, boolean known, boolean exceeded) {
        static SitemapLinks of(List<Link> links, int notTaken, boolean known) {
            boolean exceeded = links.size() > MOST_URLS;
            return new SitemapLinks(exceeded ? links.subList(0, MOST_URLS) : links, notTaken, known, exceeded);
        }
    }

    @Override
    public String name() {
        return FetchOptions.SITEMAP;
    }

    @Override
    public boolean handles(Page page) {
        return page.options().parser().filter(FetchOptions.SITEMAP::equals).isPresent();
    }

    @Override
    public Parsed parse(Page page) throws IOException {
        SitemapBody body = SitemapBody.of(page.body(), page.truncated());
        String text = DecodedText.of(body.bytes(), page.header("content-type")).text();
        SitemapLinks found = body.markup() ? SitemapReader.read(text, body.cut(), page) : list(text);
        int lost = found.known() ? found.notTaken() : 0;
        return new Parsed(lost == 0 ? Map.of() : Map.of(NOT_TAKEN, lost), Optional.empty(), Optional.of(found.links()),
                RobotsDirectives.NONE, body.cut() || found.exceeded(), List.of(),
                found.known() ? List.of() : List.of("not a sitemap: neither XML with entries, nor a list of URLs"));
    }

    /** Reads a list of URLs, one per line. */
    private static SitemapLinks list(String text) {
        List<String> lines = text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
        List<Link> links = lines.stream().filter(
                line -> line.regionMatches(true, 0, "http://", 0, 7) || line.regionMatches(true, 0, "https://", 0, 8))
                .map(Link::to).toList();
        return SitemapLinks.of(links, lines.size() - links.size(), lines.isEmpty() || !links.isEmpty());
    }
}
