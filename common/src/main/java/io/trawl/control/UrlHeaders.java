package io.trawl.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.model.InvalidValueException.FieldRules;
import io.trawl.pattern.UrlPattern;
import java.util.Map;
import java.util.Optional;

/**
 * Headers of the requests for some URLs. They replace those of the crawl; those of a request replace them.
 *
 * @param match the URLs
 * @param headers extra headers
 * @param cookie the {@code Cookie} header
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record UrlHeaders(UrlPattern match, Map<String, String> headers, Optional<String> cookie) {
    /** Fills in what is absent. */
    @SuppressWarnings("ConstantValue")
    public UrlHeaders {
        FieldRules.present("match", match);
        headers = headers == null ? Map.of() : Map.copyOf(headers);
        cookie = cookie == null ? Optional.empty() : cookie;
    }
}
