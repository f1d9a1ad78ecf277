/**
 * In: the frontier's answers; out: records in {@code responses}, then the facts about them in the ledger, then the marks of their requests, in this
 * order and no other, so that nothing is ever said about a record that is not in Kafka for good. An answer that cannot be written is written again.
 * Batches grow by themselves while the one before is under way: one call at a time per kind.
 */
@NullMarked
package io.trawl.downloader.answer;

import org.jspecify.annotations.NullMarked;
