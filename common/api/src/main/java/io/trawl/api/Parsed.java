package io.trawl.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of one parser for one page.
 *
 * @param fields of the item, in order: text, numbers, booleans, lists and maps of them; they replace fields of the same name of earlier parsers
 * @param base the URL that relative links are resolved against; the page's own URL if empty
 * @param links in document order; empty if the parser does not look for links, which is not the same as a page without links
 * @param robots the page's own directives to crawlers
 * @param truncated whether the parser stopped before the end of the page, because the page exceeds one of its limits
 */
public record Parsed(Map<String, Object> fields, Optional<String> base, Optional<List<Link>> links, RobotsDirectives robots,
        boolean truncated) {
    /** Copies the fields and links, and keeps their order. */
    public Parsed {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        links = links.map(List::copyOf);
    }

    /**
     * The result of a parser that has read the whole page.
     *
     * @param fields of the item
     * @param base the URL that relative links are resolved against
     * @param links in document order
     * @param robots the page's own directives to crawlers
     */
    public Parsed(Map<String, Object> fields, Optional<String> base, Optional<List<Link>> links, RobotsDirectives robots) {
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
}
