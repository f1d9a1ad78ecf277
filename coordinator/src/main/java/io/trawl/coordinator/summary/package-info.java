/**
 * Sums over the ledger. Input: all committed ledger records. The tally sums them up per run and keeps the set of
 * emitted ids without an answer. Output: totals for summaries, and the condition for the finish of a crawl: whether
 * that set is empty.
 */
@NullMarked
package io.trawl.coordinator.summary;

import org.jspecify.annotations.NullMarked;
