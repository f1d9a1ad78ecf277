/**
 * The capacity of the request channels. Input: offsets of the broker and sums over the ledger. They determine the
 * backlog and the traffic of each channel, and whether there is capacity for a submitted seed at its priority (S1, S2).
 * Output: reserved places and refusals for clients that submit seeds, and statistics.
 */
@NullMarked
package io.trawl.coordinator.queue;

import org.jspecify.annotations.NullMarked;
