/**
 * Tracks requests between the start of a download and its answer. In: requests whose turn has come, each with a
 * {@link io.trawl.downloader.frontier.inflight.Slot}. Out: what is in flight per host and per crawl, the requests to
 * retry, and the stop signs for which this process has drained.
 */
@NullMarked
package io.trawl.downloader.frontier.inflight;

import org.jspecify.annotations.NullMarked;
