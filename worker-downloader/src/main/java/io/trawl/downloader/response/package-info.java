/**
 * Writes the frontier's answers in a fixed order: records in {@code responses}, then their facts in the ledger, then
 * the marks of their requests, so a fact never refers to a record that Kafka could still lose. An answer that cannot be
 * written is written again. A batch grows while the previous one is in flight: one call at a time per kind.
 */
@NullMarked
package io.trawl.downloader.response;

import org.jspecify.annotations.NullMarked;
