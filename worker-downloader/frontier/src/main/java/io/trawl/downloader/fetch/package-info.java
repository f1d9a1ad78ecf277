/**
 * One fetch as the frontier sees it: with the {@link io.trawl.downloader.fetch.FetchProfile} of its crawl, under a
 * {@link io.trawl.downloader.fetch.FetchPermit}, by a {@link io.trawl.downloader.fetch.Fetcher}, with a
 * {@link io.trawl.downloader.fetch.FetchResult} in every case.
 */
@NullMarked
package io.trawl.downloader.fetch;

import org.jspecify.annotations.NullMarked;
