package io.trawl.downloader.fetch;

import java.util.concurrent.CompletableFuture;

/** Makes single GETs, for pages and for robots.txt alike. Safe for use by many threads. */
public interface WebClient {
    /** Begins one exchange and returns at once; see {@link Fetcher#fetch} for what the future guarantees. */
    CompletableFuture<Fetched> get(Get get, Clearance clearance);
}
