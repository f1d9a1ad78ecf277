package io.trawl.analyzer.parse;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one parser read out of one page.
 *
 * @param fields of the item, in order: text, numbers, booleans, lists and maps of them
 * @param base what relative links are resolved against; the page's own URL if empty
 * @param links in document order; empty if the parser knows nothing about links, which is not the same as a page without any
 * @param robots what the page itself asks of crawlers
 */
public record Parsed(Map<String, Object> fields, Optional<String> base, Optional<List<Link>> links, RobotsDirectives robots) {
    /** Copies what is given and keeps the order. */
    public Parsed {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        links = links.map(List::copyOf);
    }

    /** Fields and nothing else. */
    public static Parsed fields(Map<String, Object> fields) {
        return new Parsed(fields, Optional.empty(), Optional.empty(), RobotsDirectives.NONE);
    }

    /** Fields and links relative to the page's URL. */
    public static Parsed of(Map<String, Object> fields, List<Link> links) {
        return new Parsed(fields, Optional.empty(), Optional.of(links), RobotsDirectives.NONE);
    }
}
