package io.trawl.codec;

import io.trawl.definition.CrawlDefinition;
import java.util.List;
import java.util.Optional;

/** What says how a page is asked for, what is made of it, and which of its links are followed. */
public final class PageRules {
    private static final int DIGITS = 16;

    private PageRules() {}

    /**
     * A digest, the same in every process: with another one a page that has not changed may have other items or links.
     *
     * @param plugins the {@link io.trawl.plugin.Plugins#digest digest} of those of analyzers
     */
    public static String digest(CrawlDefinition definition, Optional<String> plugins) {
        return Json.digest(List.of(plugins, definition.fetch(), definition.extract(), definition.process(),
                definition.identity(), definition.refreshRules().compare(), definition.scope(), definition.discover(),
                definition.limits().depth())).substring(0, DIGITS);
    }
}
