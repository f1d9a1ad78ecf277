/**
 * Processing of a batch of responses. In: records of {@code responses}.
 * {@link io.trawl.analyzer.batch.ResponseBatchHandler} records them in the ledger, has pages parsed and applies
 * {@link io.trawl.ledger.LedgerRules} to decide which pages are stored, which links are followed and which requests are
 * emitted. Out: new requests, items and ledger records for one transaction, and the facts to announce after its commit.
 *
 * <p>
 * Robots directives of pages: with {@code nofollow} no link of the page is followed, and each counts as a NOFOLLOW
 * refusal. With {@code noindex} the page is in the output, exactly once like every page, but has
 * {@code "noindex": true} and neither title, description, text nor fields of other parsers.
 */
@NullMarked
package io.trawl.analyzer.batch;

import org.jspecify.annotations.NullMarked;
