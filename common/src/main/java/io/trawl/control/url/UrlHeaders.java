package io.trawl.control.url;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.pattern.UrlParts;
import io.trawl.pattern.UrlPattern;
import java.util.Map;
import java.util.Optional;

/**
 * Headers of the requests for some URLs. They replace those of the crawl; those of a request replace them.
 *
 * @param match the URLs; empty: none
 * @param headers extra headers
 * @param cookie the {@code Cookie} header
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record UrlHeaders(Optional<UrlPattern> match, Map<String, String> headers, Optional<String> cookie) {
    /** Fills in what is absent. */
    @SuppressWarnings("ConstantValue")
    public UrlHeaders {
        match = match == null ? Optional.empty() : match;
        headers = headers == null ? Map.of() : Map.copyOf(headers);
        cookie = cookie == null ? Optional.empty() : cookie;
    }

    /** Whether they are for a URL. */
    public boolean areFor(UrlParts url) {
        return match.filter(pattern -> pattern.matches(url)).isPresent();
    }
}
