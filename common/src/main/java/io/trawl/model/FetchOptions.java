package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The options of one request's fetch. Links on the page inherit only {@code metadata}.
 *
 * @param headers extra request headers
 * @param cookie the value of the {@code Cookie} header
 * @param waitTime the minimum time between the previous response of the host and this request; the host's own delay applies as well
 * @param proxy {@code http://host:port} of the proxy
 * @param parser the name of the response parser to use instead of all parsers
 * @param metadata user-defined values, copied to the item
 * @param fetcher the name of the fetcher, instead of the crawl's
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record FetchOptions(Map<String, String> headers, Optional<String> cookie,
        @JsonProperty("wait") Optional<Duration> waitTime, Optional<String> proxy, Optional<String> parser,
        Map<String, String> metadata, Optional<String> fetcher) {
    /** No options. */
    public static final FetchOptions NONE = new FetchOptions(Map.of(), Optional.empty(), Optional.empty(), Optional.empty(),
            Optional.empty(), Map.of(), Optional.empty());

    /** Copies the maps; an absent map (an old record) is an empty one. */
    @SuppressWarnings({"ConstantValue", "OptionalAssignedToNull"})
    public FetchOptions {
        headers = headers == null ? Map.of() : Map.copyOf(headers);
        metadata = metadata == null ? Map.of() : Map.copyOf(metadata);
        fetcher = fetcher == null ? Optional.empty() : fetcher;
    }

    /** The options that the links of a page inherit: only the metadata. */
    public FetchOptions inherited() {
        return metadata.isEmpty()
                ? NONE
                : new FetchOptions(Map.of(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), metadata,
                        Optional.empty());
    }
}
