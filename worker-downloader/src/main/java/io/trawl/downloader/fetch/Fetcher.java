package io.trawl.downloader.fetch;

import io.trawl.model.Request;
import java.util.concurrent.CompletableFuture;

/** Gets one URL, once. Safe for use by many threads. */
public interface Fetcher {
    /**
     * Begins one exchange and returns at once. The future never completes exceptionally: everything that can go wrong is an outcome. It completes
     * within the total time-out, plus a moment, on a thread that must not be held up: hand long work to another.
     *
     * @param request what to get; its options' headers, cookie and proxy are used before those of the profile
     * @param profile what the crawl adds
     * @param clearance asked before the bytes leave; without it nothing is sent, and the future says so
     */
    CompletableFuture<Fetched> fetch(Request request, FetchProfile profile, Clearance clearance);
}
