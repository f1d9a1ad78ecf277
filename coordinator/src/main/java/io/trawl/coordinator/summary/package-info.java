/**
 * Committed ledger records come in, all of them, from the first. They are summed per run, and the ids that are emitted and not yet answered are kept as
 * a set. Totals go out for people, and the one thing that the finish rests on: whether that set is empty.
 */
@NullMarked
package io.trawl.coordinator.summary;

import org.jspecify.annotations.NullMarked;
