package io.trawl.downloader.fetch;

import io.trawl.model.Request;
import java.util.concurrent.CompletableFuture;

/** Fetches one URL, once. Thread-safe. */
public interface Fetcher {
    /**
     * Begins one exchange and returns at once. The future never completes exceptionally: every failure is an outcome.
     * It completes within the total time-out, plus a moment, on a thread that must not block: hand long work to
     * another.
     *
     * @param request the request to send; its options' headers, cookie and proxy take precedence over those of the
     * profile
     * @param profile the settings of the crawl
     * @param permit checked before the bytes are sent; if it does not hold, nothing is sent, and the result is
     * withdrawn
     */
    CompletableFuture<FetchResult> fetch(Request request, FetchProfile profile, FetchPermit fetchPermit);
}
