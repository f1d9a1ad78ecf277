package io.trawl.analyzer.sitemap;

import crawlercommons.sitemaps.AbstractSiteMap;
import crawlercommons.sitemaps.AbstractSiteMap.SitemapType;
import crawlercommons.sitemaps.SiteMap;
import crawlercommons.sitemaps.SiteMapIndex;
import crawlercommons.sitemaps.SiteMapURL;
import crawlercommons.sitemaps.UnknownFormatException;
import crawlercommons.sitemaps.extension.Extension;
import crawlercommons.sitemaps.extension.ExtensionMetadata;
import crawlercommons.sitemaps.extension.ImageAttributes;
import crawlercommons.sitemaps.extension.LinkAttributes;
import io.trawl.api.Link;
import io.trawl.api.LinkOptions;
import io.trawl.api.Page;
import io.trawl.api.Parsed;
import io.trawl.api.ResponseParser;
import io.trawl.api.RobotsDirectives;
import io.trawl.model.FetchOptions;
import io.trawl.scope.LinkFacts;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads sitemaps, indexes of sitemaps, and feeds: XML, RSS, Atom or a list of URLs, also compressed with gzip, by
 * crawler-commons. Their URLs are links; those of an index are sitemaps again. A link has what the sitemap says about its
 * page as metadata: {@code sitemap.lastmod}, and of a sitemap in XML {@code sitemap.priority}, which is 0.5 if it gives none. A URL may be on
 * another host than its sitemap: the domains of the crawl decide, as for every link. What exceeds the limits of
 * sitemaps.org, 50 MB and 50,000 URLs, is left out. Documents with a DTD are refused, so no entity is expanded and
 * nothing else is loaded. Thread-safe.
 */
public final class SitemapParser implements ResponseParser {
    /** The options of a request for a sitemap. */
    public static final LinkOptions REQUEST = LinkOptions.NONE.withParser(FetchOptions.SITEMAP).withFetcher(FetchOptions.HTTP);
    /** The limit of sitemaps.org. */
    public static final int MOST_URLS = 50_000;

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
        UrlCount count = new UrlCount();
        boolean images = page.linkKinds().contains("image");
        boolean alternates = page.linkKinds().contains("alternate");
        try {
            List<Link> links = switch (read(body, page.url(), count, alternates)) {
                case SiteMapIndex index -> index.getSitemaps().stream().map(SitemapParser::sitemap).toList();
                case SiteMap sitemap -> pages(sitemap, images);
                case AbstractSiteMap other -> throw new UnknownFormatException("unknown type " + other.getType());
            };
            return result(links, body.cut() || count.exceeded(), List.of());
        } catch (UnknownFormatException | RuntimeException e) {
            return result(List.of(), body.cut(), List.of("not a sitemap, or one that is not well-formed: " + e.getMessage()));
        }
    }

    private static Parsed result(List<Link> links, boolean cut, List<String> errors) {
        return new Parsed(Map.of(), Optional.empty(), Optional.of(links), RobotsDirectives.NONE, cut, List.of(), errors);
    }

    private static AbstractSiteMap read(SitemapBody body, String url, UrlCount count, boolean alternates)
            throws UnknownFormatException, IOException {
        // Not strict: the rule that a sitemap speaks for its own folder only. Partial: the URLs before what is not well-formed.
        crawlercommons.sitemaps.SiteMapParser parser = new crawlercommons.sitemaps.SiteMapParser(false, true);
        parser.setURLFilter(count);
        // Always: otherwise it takes the location of an image for that of a page.
        parser.enableExtension(Extension.IMAGE);
        if (alternates) {
            parser.enableExtension(Extension.LINKS);
        }
        return body.markup()
                ? parser.parseSiteMap(body.bytes(), URI.create(url).toURL())
                : parser.parseSiteMap("text/plain", body.bytes(), URI.create(url).toURL());
    }

    private static Link sitemap(AbstractSiteMap entry) {
        return Link.to(entry.getUrl().toString()).with(REQUEST);
    }

    private static List<Link> pages(SiteMap sitemap, boolean images) {
        List<Link> links = new ArrayList<>(sitemap.getSiteMapUrls().size());
        for (SiteMapURL url : sitemap.getSiteMapUrls()) {
            links.add(Link.to(url.getUrl().toString()).with(options(url, sitemap.getType())));
            for (ExtensionMetadata image : images ? attributes(url, Extension.IMAGE) : new ExtensionMetadata[0]) {
                Optional.ofNullable(((ImageAttributes) image).getLoc()).map(Object::toString).map(Link::to).ifPresent(links::add);
            }
            for (ExtensionMetadata link : attributes(url, Extension.LINKS)) {
                Optional.ofNullable(((LinkAttributes) link).getHref()).map(Object::toString).map(Link::to).ifPresent(links::add);
            }
        }
        return links;
    }

    private static ExtensionMetadata[] attributes(SiteMapURL url, Extension extension) {
        return Optional.ofNullable(url.getAttributesForExtension(extension)).orElse(new ExtensionMetadata[0]);
    }

    /** Feeds and lists have no priorities. */
    private static LinkOptions options(SiteMapURL url, SitemapType type) {
        LinkOptions options = LinkOptions.NONE;
        Optional<Instant> modified = Optional.ofNullable(url.getLastModified()).map(Date::toInstant);
        if (modified.isPresent()) {
            options = options.withMetadata(LinkFacts.LASTMOD, modified.get().toString());
        }
        return type == SitemapType.XML
                ? options.withMetadata(LinkFacts.PRIORITY, Double.toString(url.getPriority()))
                : options;
    }

    /** Lets as many URLs through as a sitemap may have. */
    private static final class UrlCount implements Function<String, String> {
        private int count;

        @Override
        @SuppressWarnings("NullAway")
        public String apply(String url) {
            return ++count > MOST_URLS ? null : url;
        }

        boolean exceeded() {
            return count > MOST_URLS;
        }
    }
}
