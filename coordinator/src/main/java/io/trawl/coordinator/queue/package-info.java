/**
 * Offsets of the broker and the sums of the ledger come in. From them follows how full each channel is, what has gone through it, and whether a seed from
 * outside finds room at its priority (S1, S2). Places and refusals go out to whoever submits, statistics to people.
 */
@NullMarked
package io.trawl.coordinator.queue;

import org.jspecify.annotations.NullMarked;
