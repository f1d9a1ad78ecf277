/**
 * Orders the requests that wait for a download. In: the records of the request topics that this process owns, of most
 * of them only the offset. Out: the best request of the host whose turn is next
 * ({@link io.trawl.downloader.frontier.queue.HostTable}, {@link io.trawl.downloader.frontier.queue.HostQueue}), turns
 * divided among priorities ({@link io.trawl.downloader.frontier.fairness.PriorityShares}), and the offset below which
 * every record is answered ({@link io.trawl.downloader.frontier.queue.OpenOffsets}). One thread owns all of it; nothing
 * here knows Kafka.
 */
@NullMarked
package io.trawl.downloader.frontier.queue;

import org.jspecify.annotations.NullMarked;
