/**
 * Fetches. In: a {@link io.trawl.model.Request} whose turn it is. Out: a {@link io.trawl.downloader.fetch.FetchResult}
 * in every case. One exchange per call, over pooled connections, with limits on time, size and inflated size, and with
 * the address guard between the name and the connection. This package does not retry, follow redirects, keep cookies or
 * enforce politeness.
 */
@NullMarked
package io.trawl.downloader.fetch.http;

import org.jspecify.annotations.NullMarked;
