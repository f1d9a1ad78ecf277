package io.trawl.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One result: at most one per URL, parser and ordinal of a run.
 *
 * @param id a function of run, URL, parser and ordinal (never of an offset or the time), so that storing it twice can be recognised
 * @param run the run of the crawl
 * @param kind whether it is a page or an error
 * @param url the page's URL
 * @param fields the rest, in the order in which it is written: text, numbers, lists and maps of them
 */
public record Item(String id, CrawlRun run, ItemKind kind, String url, Map<String, Object> fields) implements Data {
    /** Copies the fields and keeps their order. */
    public Item {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }
}
