/**
 * In: a {@link io.trawl.model.Request} whose turn it is; out: a {@link io.trawl.downloader.fetch.Fetched}, whatever the web does. One exchange per call,
 * over pooled connections, with limits on time, size and inflated size, and with the address guard between the name and the connection. Nothing here
 * retries, follows a redirect, keeps a cookie or knows about politeness.
 */
@NullMarked
package io.trawl.downloader.fetch;

import org.jspecify.annotations.NullMarked;
