package io.trawl.downloader.fetch;

import io.trawl.control.CrawlDefinition;
import io.trawl.model.FetchStyle;
import java.util.Optional;

/**
 * The settings that a crawl adds to each of its fetches.
 *
 * @param userAgent the {@code User-Agent} header
 * @param style the other headers and their order
 * @param proxy {@code http://host:port} of the proxy, if the request names none
 */
public record FetchProfile(String userAgent, FetchStyle style, Optional<String> proxy) {
    /** A plain fetcher without a proxy. */
    public FetchProfile(String userAgent) {
        this(userAgent, FetchStyle.PLAIN, Optional.empty());
    }

    /** The profile of a definition. */
    public static FetchProfile of(CrawlDefinition.FetchRules rules) {
        return new FetchProfile(rules.userAgent(), rules.profile(), rules.proxy());
    }

    /** The same with the proxy of a request, if that names one. */
    public FetchProfile through(Optional<String> own) {
        return own.isPresent() ? new FetchProfile(userAgent, style, own) : this;
    }
}
