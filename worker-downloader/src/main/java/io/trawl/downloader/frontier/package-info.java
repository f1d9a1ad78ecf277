/**
 * In: requests with their offsets, what the ledger says about them, what fetches came to, what Kafka has acknowledged, and the time; out:
 * {@link io.trawl.downloader.frontier.Action}s: what to look up, fetch, answer and commit now. The {@link io.trawl.downloader.frontier.Frontier} is a
 * plain state machine with one owner: no thread, no clock, no Kafka and no Redis, so its promises are tested without waiting. The log is the queue;
 * what is kept here is an index of it that can be built again from the committed offsets and the answered marks.
 */
@NullMarked
package io.trawl.downloader.frontier;

import org.jspecify.annotations.NullMarked;
