package io.trawl.definition.url;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.pattern.UrlParts;
import io.trawl.pattern.UrlPattern;
import java.util.Map;
import java.util.Optional;

/**
 * How some URLs are requested. These headers replace those of the crawl; those of a request replace them, and so does
 * its method.
 *
 * @param match the URLs
 * @param headers extra headers
 * @param cookie the {@code Cookie} header
 * @param method the HTTP method of requests that name none
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record UrlHeaders(Optional<UrlPattern> match, Map<String, String> headers, Optional<String> cookie,
        Optional<String> method) {
    /** Fills in what is absent. */
    @SuppressWarnings("ConstantValue")
    public UrlHeaders {
        headers = headers == null ? Map.of() : Map.copyOf(headers);
    }

    /** Whether they are for a URL. */
    public boolean areFor(UrlParts url) {
        return match.filter(pattern -> pattern.matches(url)).isPresent();
    }
}
