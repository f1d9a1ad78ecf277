/**
 * Decides which request is fetched next. In: requests with their offsets, ledger lookups, results of fetches,
 * acknowledgements of Kafka, and the time. Out: {@link io.trawl.downloader.frontier.FrontierAction}s, which say what to
 * look up, fetch, answer and commit now. The {@link io.trawl.downloader.frontier.Frontier} is a state machine with one
 * owner and without threads, clock, Kafka or Redis, so tests check its guarantees without waiting; {@code FrontierLoop}
 * is the thread that owns it. The log is the queue; the frontier is only an index that can be rebuilt from the
 * committed offsets and the answered marks.
 */
@NullMarked
package io.trawl.downloader.frontier;

import org.jspecify.annotations.NullMarked;
