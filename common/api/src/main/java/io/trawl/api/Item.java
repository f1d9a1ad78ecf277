package io.trawl.api;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One result of a crawl: at most one per URL, parser and ordinal of a run. Immutable if the values of its fields are.
 *
 * @param id a function of run, URL, parser and ordinal (never of an offset or the time), so that a duplicate can be
 * recognised
 * @param key the same without the epoch: the same page has the same key in all runs of its crawl
 * @param run crawl and epoch, for example {@code docs/1}; the epoch grows each time the crawl is started again from its
 * seeds
 * @param kind whether it is a page or an error
 * @param url the page's normalized URL
 * @param fields the rest, in the order in which it is written: text, numbers, booleans, lists and maps of them
 */
public record Item(String id, String key, String run, ItemKind kind, String url, Map<String, Object> fields) {
    /**
     * Copies the fields and keeps their order. Each half of a surrogate pair in their texts becomes U+FFFD, as HTML
     * reads it: no format stores one, so sinks would refuse the item or write something else.
     *
     * @throws IllegalArgumentException if a field holds more than a thousand lists and maps within each other
     */
    public Item {
        fields = Collections.unmodifiableMap(WellFormed.copy(fields));
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
        return new Item(id, key, run, kind, url, others);
    }

    /**
     * Texts without halves of surrogate pairs, each of which becomes U+FFFD. What is well-formed is returned as it is.
     */
    private static final class WellFormed {
        private static final char REPLACEMENT = '\uFFFD';
        /** As deep as JSON may be that is read. */
        private static final int DEEPEST = 1_000;

        private WellFormed() {}

        /** A copy of fields, in their order. */
        static Map<String, Object> copy(Map<String, Object> fields) {
            Map<String, Object> copy = new LinkedHashMap<>();
            fields.forEach((name, value) -> copy.put(text(name), holds(value, 0) ? value : repaired(value, 0)));
            return copy;
        }

        private static boolean holds(Object value, int depth) {
            return switch (value) {
                case String text -> half(text, 0) < 0;
                case Collection<?> all -> {
                    for (Object one : all) {
                        if (!holds(one, deeper(depth))) {
                            yield false;
                        }
                    }
                    yield true;
                }
                case Map<?, ?> map -> holds(map.keySet(), depth) && holds(map.values(), depth);
                case null, default -> true;
            };
        }

        private static Object repaired(Object value, int depth) {
            return switch (value) {
                case String text -> text(text);
                case Collection<?> all -> {
                    List<Object> copy = new ArrayList<>(all.size());
                    for (Object one : all) {
                        copy.add(repaired(one, deeper(depth)));
                    }
                    yield copy;
                }
                case Map<?, ?> map -> {
                    Map<Object, Object> copy = new LinkedHashMap<>();
                    map.forEach((name, one) -> copy.put(repaired(name, depth), repaired(one, deeper(depth))));
                    yield copy;
                }
                case null, default -> value;
            };
        }

        private static int deeper(int depth) {
            if (depth == DEEPEST) {
                throw new IllegalArgumentException("a field has more than " + DEEPEST + " values within each other");
            }
            return depth + 1;
        }

        private static String text(String text) {
            int half = half(text, 0);
            if (half < 0) {
                return text;
            }
            StringBuilder repaired = new StringBuilder(text);
            for (int i = half; i >= 0; i = half(text, i + 1)) {
                repaired.setCharAt(i, REPLACEMENT);
            }
            return repaired.toString();
        }

        /** The index of the first half at or after an index, or -1. */
        private static int half(String text, int from) {
            int length = text.length();
            for (int i = from; i < length; i++) {
                char c = text.charAt(i);
                if (Character.isSurrogate(c)) {
                    if (Character.isLowSurrogate(c) || i + 1 == length
                            || !Character.isLowSurrogate(text.charAt(i + 1))) {
                        return i;
                    }
                    i++;
                }
            }
            return -1;
        }
    }
}
