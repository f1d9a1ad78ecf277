package io.trawl.downloader.fetch.http;

import io.trawl.downloader.fetch.Fetcher;
import java.util.Map;

/** The built-in fetcher keeps the contract. */
class HttpFetcherTest extends FetcherContract {
    @Override
    Fetcher open(Map<String, String> settings) {
        return fetcher(settings);
    }
}
