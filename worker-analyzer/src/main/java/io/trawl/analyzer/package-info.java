/**
 * The analyzer: the third stage and, besides seeding, the only source of requests. In: {@code responses}; out:
 * {@code items}, new {@code requests} and {@code ledger} records, in one transaction per batch together with the
 * consumed offsets. {@code batch} implements the protocol, {@code parse} runs the parsers, {@code extract} is the
 * built-in HTML parser.
 */
@NullMarked
package io.trawl.analyzer;

import org.jspecify.annotations.NullMarked;
