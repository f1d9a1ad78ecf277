package io.trawl.analyzer.extract;

import io.trawl.api.Page;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/**
 * Where a page is searched for links.
 *
 * @param kinds the kinds of links, as definitions name them
 * @param feeds whether feeds that the page names are sources of links
 * @param anchors whether links have their text and types
 * @param regions CSS selectors, or {@code xpath://} expressions: links in the text count only within what one of them
 * selects; empty: everywhere
 */
record LinkSearch(Set<String> kinds, boolean feeds, boolean anchors, java.util.List<String> regions) {
    private static final String XPATH = "xpath:";

    static LinkSearch of(Page page) {
        return new LinkSearch(page.linkKinds(), page.feedsWanted(), page.anchorsWanted(), page.linkRegions());
    }

    boolean wants(String kind) {
        return kinds.contains(kind);
    }

    /** The elements within which links count; empty if there are no regions. */
    Set<Element> selected(Document document) {
        Set<Element> found = Collections.newSetFromMap(new IdentityHashMap<>());
        for (String region : regions) {
            found.addAll(region.startsWith(XPATH)
                    ? document.selectXpath(region.substring(XPATH.length()))
                    : document.select(region));
        }
        return found;
    }
}
