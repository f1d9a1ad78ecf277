package io.trawl.codec;

import io.trawl.control.CrawlDefinition;
import java.util.List;

/** What a crawl says about how a page is asked for, and what is made of it. */
public final class ItemRules {
    private static final int DIGITS = 16;

    private ItemRules() {}

    /** A digest, the same in every process: with another one a page that has not changed may have other items. */
    public static String digest(CrawlDefinition definition) {
        return Json.digest(List.of(definition.fetch(), definition.extract(), definition.process(),
                definition.identity(), definition.refreshRules(), definition.scope().languages())).substring(0, DIGITS);
    }
}
