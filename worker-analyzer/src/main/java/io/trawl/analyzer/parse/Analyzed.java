package io.trawl.analyzer.parse;

import io.trawl.admission.NormalUrl;
import io.trawl.admission.Refused;
import io.trawl.model.RefusalReason;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What all parsers together read out of a page.
 *
 * @param contentType the media type
 * @param fields of the item, in order
 * @param links http and https links in normal form, in document order, each once; empty if no parser looked for links
 * @param notLinks how many references are no such URL, by the rule that refuses them
 * @param strays the first of those, each once
 * @param robots what the page asks of crawlers, by header or content
 * @param errors one for each parser that failed
 * @param failed whether parsers failed and none succeeded
 */
public record Analyzed(String contentType, Map<String, Object> fields, Optional<List<Target>> links,
        Map<RefusalReason, Integer> notLinks, List<Stray> strays,
        RobotsDirectives robots, List<String> errors, boolean failed) {
    /** Copies what is given and keeps the order. */
    public Analyzed {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        links = links.map(List::copyOf);
        notLinks = Map.copyOf(notLinks);
        strays = List.copyOf(strays);
        errors = List.copyOf(errors);
    }

    /**
     * A link.
     *
     * @param nofollow whether all of its occurrences ask not to be followed
     */
    public record Target(NormalUrl url, boolean nofollow) {}

    /**
     * A reference that is no web address.
     *
     * @param reference as it may be shown to people
     */
    public record Stray(String reference, Refused why) {}
}
