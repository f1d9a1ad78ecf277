package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
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
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Seed(@JsonProperty("crawl") Optional<String> crawl, @JsonProperty("url") Optional<String> url,
        @JsonProperty("priority") Optional<Integer> priority, @JsonProperty("depth") Optional<Integer> depth,
        @JsonProperty("headers") Map<String, String> headers, @JsonProperty("cookie") Optional<String> cookie,
        @JsonProperty("wait") Optional<Duration> waitTime, @JsonProperty("proxy") Optional<String> proxy,
        @JsonProperty("parser") Optional<String> parser, @JsonProperty("metadata") Map<String, String> metadata,
        @JsonProperty("fetcher") Optional<String> fetcher, @JsonProperty("method") Optional<String> method,
        @JsonProperty("body") Optional<String> body) {
    /** Absent maps are empty ones. */
    @JsonCreator(mode = JsonCreator.Mode.PROPERTIES)
    public Seed {
        headers = headers == null ? Map.of() : Map.copyOf(headers);
        metadata = metadata == null ? Map.of() : Map.copyOf(metadata);
    }

    /** A text is a seed with that URL. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Seed of(String url) {
        return new Seed(Optional.empty(), Optional.of(url), Optional.empty(), Optional.empty(), Map.of(),
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Map.of(), Optional.empty(),
                Optional.empty(), Optional.empty());
    }

    /** A seed with only its URL and an optional priority. */
    public static Seed of(CrawlId crawl, String url, Optional<Integer> priority) {
        return new Seed(Optional.of(crawl.value()), Optional.of(url), priority, Optional.empty(), Map.of(),
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Map.of(), Optional.empty(),
                Optional.empty(), Optional.empty());
    }

    /** A sitemap. @param depth that of what it names */
    public static Seed ofSitemap(String url, int depth) {
        return new Seed(Optional.empty(), Optional.of(url), Optional.empty(), Optional.of(depth), Map.of(),
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(FetchOptions.SITEMAP), Map.of(),
                Optional.of(FetchOptions.HTTP), Optional.empty(), Optional.empty());
    }

    /** A copy for this crawl. */
    public Seed withCrawl(CrawlId owner) {
        return new Seed(Optional.of(owner.value()), url, priority, depth, headers, cookie, waitTime, proxy, parser,
                metadata, fetcher, method, body);
    }

    /** A copy at a depth, for any crawl. */
    public Seed atDepth(int wanted) {
        return new Seed(Optional.empty(), url, priority, Optional.of(wanted), headers, cookie, waitTime, proxy, parser,
                metadata, fetcher, method, body);
    }

    /** A copy that is sent with a method and a body. */
    public Seed sending(Optional<String> otherMethod, Optional<String> otherBody) {
        return new Seed(crawl, url, priority, depth, headers, cookie, waitTime, proxy, parser, metadata, fetcher,
                otherMethod, otherBody);
    }

    /** The identity of its request, if the URL is in normal form. */
    public String identity() {
        return RequestIdentity.of(url.orElse(""), options());
    }

    /** The options of the fetch. */
    public FetchOptions options() {
        return new FetchOptions(headers, cookie, waitTime, proxy, parser, metadata, fetcher, method, body);
    }
}
