package io.trawl.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of one parser for one page.
 *
 * @param fields of the item, in order: text, numbers, booleans, lists and maps of them; they replace fields of the same
 * name of earlier parsers
 * @param base the URL that relative links are resolved against; the page's own URL if empty
 * @param links in document order; empty if the parser does not look for links, which is not the same as a page without
 * links
 * @param robots the page's own directives to crawlers
 * @param truncated whether the parser stopped before the end of the page, because the page exceeds one of its limits
 * @param items further items of the page, each with fields of its own, in order; the page's own item remains
 * @param errors what is wrong with the page, in words for people; each is reported as an error of this parser, and its
 * results are kept
 */
public record Parsed(Map<String, Object> fields, Optional<String> base, Optional<List<Link>> links,
        RobotsDirectives robots, boolean truncated, List<Map<String, Object>> items, List<String> errors) {
    /** Copies the fields, links, items and errors, and keeps their order. */
    public Parsed {
        fields = copy(fields);
        links = links.map(List::copyOf);
        items = items.stream().map(Parsed::copy).toList();
        errors = List.copyOf(errors);
    }

    private static Map<String, Object> copy(Map<String, Object> fields) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /**
     * The result of a parser without further items and errors.
     *
     * @param fields of the item
     * @param base the URL that relative links are resolved against
     * @param links in document order
     * @param robots the page's own directives to crawlers
     * @param truncated whether the parser stopped before the end of the page
     */
    public Parsed(Map<String, Object> fields, Optional<String> base, Optional<List<Link>> links,
            RobotsDirectives robots, boolean truncated) {
        this(fields, base, links, robots, truncated, List.of(), List.of());
    }

    /**
     * The result of a parser that has read the whole page.
     *
     * @param fields of the item
     * @param base the URL that relative links are resolved against
     * @param links in document order
     * @param robots the page's own directives to crawlers
     */
    public Parsed(Map<String, Object> fields, Optional<String> base, Optional<List<Link>> links,
            RobotsDirectives robots) {
        this(fields, base, links, robots, false);
    }

    /**
     * The result of a parser that does not look for links.
     *
     * @param fields of the item
     * @return these fields alone
     */
    public static Parsed fields(Map<String, Object> fields) {
        return new Parsed(fields, Optional.empty(), Optional.empty(), RobotsDirectives.NONE);
    }

    /**
     * The result of a parser that looks for links.
     *
     * @param fields of the item
     * @param links relative to the page's URL
     * @return both
     */
    public static Parsed of(Map<String, Object> fields, List<Link> links) {
        return new Parsed(fields, Optional.empty(), Optional.of(links), RobotsDirectives.NONE);
    }

    /**
     * This result with further items of the page.
     *
     * @param others replace all further items
     * @return a copy
     */
    public Parsed withItems(List<Map<String, Object>> others) {
        return new Parsed(fields, base, links, robots, truncated, others, errors);
    }

    /**
     * This result with errors.
     *
     * @param others replace all errors
     * @return a copy
     */
    public Parsed withErrors(List<String> others) {
        return new Parsed(fields, base, links, robots, truncated, items, others);
    }
}
