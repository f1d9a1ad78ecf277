package io.trawl.downloader.fetch;

import java.util.Map;

/** The built-in fetcher keeps the contract. */
class HttpFetcherTest extends FetcherContract {
    @Override
    Fetcher open(Map<String, String> settings) {
        return fetcher(settings);
    }
}
