/**
 * The analyzer: the third stage and, after the seeds, the only maker of requests. In: {@code responses}; out: {@code items}, new {@code requests} and
 * {@code ledger} records, one transaction per batch together with the offsets it came from. {@code batch} holds the protocol, {@code parse} what
 * parsers are and how they are run, {@code extract} the built-in one for HTML.
 */
@NullMarked
package io.trawl.analyzer;

import org.jspecify.annotations.NullMarked;
