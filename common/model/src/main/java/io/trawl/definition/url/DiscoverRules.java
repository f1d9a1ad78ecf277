package io.trawl.definition.url;

import io.trawl.field.Range;
import io.trawl.field.Size;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.trawl.model.Choice;
import io.trawl.model.Seed;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where a crawl finds URLs.
 *
 * @param from sitemaps, the links of pages, both, or neither
 * @param links the kinds of links of pages; by default {@code a}, {@code area} and {@code frame}
 * @param regions CSS selectors, or {@code xpath://} expressions: links in the text of a page count only within the
 * elements that one of them selects; by default the whole page
 * @param sitemaps URLs of sitemaps, besides those that robots.txt names
 * @param sitemapDepth the depth of what a sitemap brings
 * @param feeds whether the feeds are read that a page names in its head
 * @param requisites the kinds of files that a page needs to look as it does, which are fetched with it; by default none
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record DiscoverRules(Origin from, List<LinkKind> links, @Size(max = 100) List<String> regions,
        @Size(max = 1000) List<String> sitemaps, @Range(min = "0", max = "1") Integer sitemapDepth, Boolean feeds,
        List<RequisiteKind> requisites) implements DiscoverRulesBuilder.With {
    /** The default depth of what a sitemap brings: that of the links of seeds. */
    public static final int DEFAULT_DEPTH = 1;
    /** The kinds of links of a crawl that names none. */
    public static final List<LinkKind> DEFAULT_LINKS = List.of(LinkKind.A, LinkKind.AREA, LinkKind.FRAME);
    /** Links of pages only. */
    public static final DiscoverRules DEFAULT = DiscoverRulesBuilder.builder().build();

    /** Fills in the defaults. */
    public DiscoverRules {
        from = from == null ? Origin.LINKS : from;
        links = links == null || links.isEmpty() ? DEFAULT_LINKS : List.copyOf(links);
        regions = regions == null ? List.of() : List.copyOf(regions);
        sitemaps = sitemaps == null ? List.of() : List.copyOf(sitemaps);
        sitemapDepth = sitemapDepth == null ? DEFAULT_DEPTH : sitemapDepth;
        feeds = feeds != null && feeds;
        requisites = requisites == null ? List.of() : List.copyOf(requisites);
    }

    /** The named sitemaps as seeds. */
    public List<Seed> seeds() {
        return sitemaps.stream().map(url -> Seed.ofSitemap(url, sitemapDepth)).toList();
    }

    /** The words of the wanted kinds of links. */
    public Set<String> linkWords() {
        return links.stream().map(LinkKind::word).collect(Collectors.toUnmodifiableSet());
    }

    /** The words of the wanted kinds of requisites. */
    public Set<String> requisiteWords() {
        return requisites.stream().map(RequisiteKind::word).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether URLs come from sitemaps or from the links of pages. */
    public enum Origin implements Choice {
        /** Only the links of pages. */
        LINKS,
        /** Only sitemaps; feeds are sitemaps, too. */
        SITEMAP,
        /** Both. */
        BOTH,
        /** Neither: the seeds, and where they redirect to, are all. */
        SEEDS;

        /** Whether sitemaps are read. */
        public boolean sitemaps() {
            return this == SITEMAP || this == BOTH;
        }

        /** Whether the links of pages are followed. */
        public boolean links() {
            return this == LINKS || this == BOTH;
        }
    }
}
