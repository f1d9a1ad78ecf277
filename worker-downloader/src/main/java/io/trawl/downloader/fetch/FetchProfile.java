package io.trawl.downloader.fetch;

import io.trawl.model.FetchStyle;
import java.util.Optional;

/**
 * What a crawl adds to each of its fetches.
 *
 * @param userAgent the {@code User-Agent} header
 * @param style which further headers, and in which order
 * @param proxy {@code http://host:port} to go through, if the request names none
 */
public record FetchProfile(String userAgent, FetchStyle style, Optional<String> proxy) {
    /** A plain fetcher without a proxy. */
    public FetchProfile(String userAgent) {
        this(userAgent, FetchStyle.PLAIN, Optional.empty());
    }

    /** The same with the proxy of a request, if that names one. */
    public FetchProfile through(Optional<String> own) {
        return own.isPresent() ? new FetchProfile(userAgent, style, own) : this;
    }
}
