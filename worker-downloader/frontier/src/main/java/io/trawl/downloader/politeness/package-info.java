/**
 * Decides when a host may be asked next. In: when its last exchange ended, how long it took, and the delays of crawl,
 * robots.txt, request and server. Out: the time of its next turn, whether a failed fetch is retried
 * ({@link io.trawl.downloader.politeness.RetryPolicy}), and whether its host is given up
 * ({@link io.trawl.downloader.politeness.UnresponsiveHosts}). Pure arithmetic on nanoseconds that the caller provides.
 */
@NullMarked
package io.trawl.downloader.politeness;

import org.jspecify.annotations.NullMarked;
