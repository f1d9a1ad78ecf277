package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.trawl.model.Request.RequestIdentity;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A record of the {@code seeds} topic, one JSON object per record, or in lists of seeds a text that is the URL. Only
 * {@code crawl} and {@code url} are required. The fields are as the user wrote them: admission checks them.
 *
 * @param depth of its request; empty: 0
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Seed(@JsonProperty("crawl") Optional<String> crawl, @JsonProperty("url") Optional<String> url,
        @JsonProperty("priority") Optional<Integer> priority, @JsonProperty("depth") Optional<Integer> depth,
        @JsonProperty("headers") Map<String, String> headers, @JsonProperty("cookie") Optional<String> cookie,
        @JsonProperty("wait") Optional<Duration> waitTime, @JsonProperty("proxy") Optional<String> proxy,
        @JsonProperty("parser") Optional<String> parser, @JsonProperty("metadata") Map<String, String> metadata,
        @JsonProperty("fetcher") Optional<String> fetcher, @JsonProperty("method") Optional<String> method,
        @JsonProperty("body") Optional<String> body) implements SeedBuilder.With {
    /** Absent maps are empty ones. */
    @JsonCreator(mode = JsonCreator.Mode.PROPERTIES)
    public Seed {
        headers = headers == null ? Map.of() : Map.copyOf(headers);
        metadata = metadata == null ? Map.of() : Map.copyOf(metadata);
    }

    /** A text is a seed with that URL. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Seed of(String url) {
        return SeedBuilder.builder().url(Optional.of(url)).build();
    }

    /** A seed with only its URL and an optional priority. */
    public static Seed of(CrawlId crawl, String url, Optional<Integer> priority) {
        return SeedBuilder.builder().crawl(Optional.of(crawl.value())).url(Optional.of(url)).priority(priority).build();
    }

    /** A sitemap. @param depth that of what it names */
    public static Seed ofSitemap(String url, int depth) {
        return SeedBuilder.builder().url(Optional.of(url)).depth(Optional.of(depth))
                .parser(Optional.of(FetchOptions.SITEMAP)).fetcher(Optional.of(FetchOptions.HTTP)).build();
    }

    /** A copy at a depth, for any crawl. */
    public Seed atDepth(int wanted) {
        return with(copy -> copy.crawl(Optional.empty()).depth(Optional.of(wanted)));
    }

    /** The identity of its request, if the URL is in normal form. */
    public String identity() {
        return RequestIdentity.of(url.orElse(""), options());
    }

    /** The options of the fetch. */
    public FetchOptions options() {
        return FetchOptions.NONE.with().headers(headers).cookie(cookie).waitTime(waitTime).proxy(proxy).parser(parser)
                .metadata(metadata).fetcher(fetcher).method(method).body(body).build();
    }
}
