package io.trawl.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One result of a crawl: at most one per URL, parser and ordinal of a run. Immutable if the values of its fields are.
 *
 * @param id a function of run, URL, parser and ordinal (never of an offset or the time), so that a duplicate can be recognised
 * @param run crawl and epoch, for example {@code docs/1}; the epoch grows each time the crawl is started again from its seeds
 * @param kind whether it is a page or an error
 * @param url the page's normalized URL
 * @param fields the rest, in the order in which it is written: text, numbers, booleans, lists and maps of them
 */
public record Item(String id, String run, ItemKind kind, String url, Map<String, Object> fields) {
    /** Copies the fields and keeps their order. */
    public Item {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /** {@return the name of the crawl: the run without its epoch} */
    public String crawl() {
        return run.substring(0, run.lastIndexOf('/'));
    }

    /** {@return the epoch of the run: 1 for the first run of a crawl} */
    public long epoch() {
        return Long.parseLong(run.substring(run.lastIndexOf('/') + 1));
    }

    /**
     * This item with one field set.
     *
     * @param field its name: an existing field is replaced in place, a new one is appended
     * @param value text, a number, a boolean, or a list or map of them
     * @return a copy
     */
    public Item with(String field, Object value) {
        Map<String, Object> changed = new LinkedHashMap<>(fields);
        changed.put(field, value);
        return withFields(changed);
    }

    /**
     * This item with other fields.
     *
     * @param others replace all fields
     * @return a copy
     */
    public Item withFields(Map<String, Object> others) {
        return new Item(id, run, kind, url, others);
    }
}
