package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What one request asks of its fetch beyond its URL. Links found on the page do not inherit any of it but {@code metadata}.
 *
 * @param headers extra request headers
 * @param cookie the value of the {@code Cookie} header
 * @param waitTime the least time between the previous response of the host and this request; the host's own delay holds as well
 * @param proxy {@code http://host:port} of the proxy to go through
 * @param parser the name of the response parser to use instead of all
 * @param metadata free values, copied to the item
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record FetchOptions(Map<String, String> headers, Optional<String> cookie,
        @JsonProperty("wait") Optional<Duration> waitTime, Optional<String> proxy, Optional<String> parser,
        Map<String, String> metadata) {
    /** Nothing special. */
    public static final FetchOptions NONE = new FetchOptions(Map.of(), Optional.empty(), Optional.empty(), Optional.empty(),
            Optional.empty(), Map.of());

    /** Copies the maps; an absent map (an old record) is an empty one. */
    @SuppressWarnings({"ConstantValue", "OptionalAssignedToNull"})
    public FetchOptions {
        headers = headers == null ? Map.of() : Map.copyOf(headers);
        metadata = metadata == null ? Map.of() : Map.copyOf(metadata);
    }

    /** What the links of a page inherit: the metadata alone. */
    public FetchOptions inherited() {
        return metadata.isEmpty()
                ? NONE
                : new FetchOptions(Map.of(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), metadata);
    }
}
