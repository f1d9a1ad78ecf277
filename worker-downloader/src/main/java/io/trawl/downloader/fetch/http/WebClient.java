package io.trawl.downloader.fetch.http;

import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.Fetcher;
import java.util.concurrent.CompletableFuture;

/** Sends single requests, for pages and robots.txt alike. Thread-safe. */
public interface WebClient {
    /** Begins one exchange and returns at once; see {@link Fetcher#fetch} for the guarantees of the future. */
    CompletableFuture<FetchResult> send(FetchRequest fetchRequest, FetchPermit fetchPermit);
}
