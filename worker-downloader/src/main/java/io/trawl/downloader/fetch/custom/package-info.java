/**
 * Fetchers that a crawl or a request chooses by name. In: a {@link io.trawl.model.Request} whose turn it is, and the
 * {@link io.trawl.api.PageFetcher} that it names. Out: a {@link io.trawl.downloader.fetch.FetchResult} in every case,
 * under the politeness, address guard, limits and time-outs of the built-in fetcher.
 */
@NullMarked
package io.trawl.downloader.fetch.custom;

import org.jspecify.annotations.NullMarked;
