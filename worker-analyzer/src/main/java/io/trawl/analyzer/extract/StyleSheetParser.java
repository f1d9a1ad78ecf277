package io.trawl.analyzer.extract;

import io.trawl.api.Page;
import io.trawl.api.Parsed;
import io.trawl.api.ResponseParser;
import io.trawl.model.FetchOptions;
import java.util.Map;

/**
 * The parser of requisites: a style sheet names further ones, all other files name none. Of what it finds, the crawl
 * fetches the kinds that {@code discover.requisites} names. No fields and no items. Thread-safe.
 */
public final class StyleSheetParser implements ResponseParser {
    private static final String CSS = "text/css";

    @Override
    public String name() {
        return FetchOptions.REQUISITE;
    }

    @Override
    public boolean handles(Page page) {
        return page.options().parser().filter(FetchOptions.REQUISITE::equals).isPresent();
    }

    @Override
    public Parsed parse(Page page) {
        Requisites requisites = new Requisites(page.requisiteKinds());
        if (page.contentType().equals(CSS)) {
            requisites.style(page.text());
        }
        return Parsed.of(Map.of(), requisites.links());
    }
}
