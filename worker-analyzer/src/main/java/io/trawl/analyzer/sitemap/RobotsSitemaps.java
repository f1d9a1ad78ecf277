package io.trawl.analyzer.sitemap;

import crawlercommons.robots.SimpleRobotRulesParser;
import io.trawl.api.Link;
import io.trawl.api.Page;
import io.trawl.api.Parsed;
import io.trawl.api.ResponseParser;
import io.trawl.model.FetchOptions;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the sitemaps that a robots.txt names; if it names none, {@value #USUAL}. The rules of the file are read
 * elsewhere, by the downloader, before anything of the host is fetched. Thread-safe.
 */
public final class RobotsSitemaps implements ResponseParser {
    /** The sitemap of a site whose robots.txt names none. */
    public static final String USUAL = "/sitemap.xml";
    /** As many bytes as a crawler must read (RFC 9309 section 2.5). */
    private static final int LARGEST = 500 << 10;

    @Override
    public String name() {
        return FetchOptions.ROBOTS;
    }

    @Override
    public boolean handles(Page page) {
        return page.options().parser().filter(FetchOptions.ROBOTS::equals).isPresent();
    }

    @Override
    public Parsed parse(Page page) throws IOException {
        byte[] whole = SitemapBody.of(page.body(), page.truncated()).bytes();
        byte[] file = whole.length > LARGEST ? Arrays.copyOf(whole, LARGEST) : whole;
        List<String> named = new SimpleRobotRulesParser()
                .parseContent(page.url(), file, "text/plain", Set.of(page.productToken())).getSitemaps();
        return Parsed.of(Map.of(), (named.isEmpty() ? List.of(USUAL) : named).stream()
                .map(url -> Link.to(url).with(SitemapParser.REQUEST)).toList());
    }
}
