/**
 * What follows from a batch of responses. In: records of {@code responses}; {@link io.trawl.analyzer.batch.Analysis} learns them, has pages parsed and
 * decides by {@link io.trawl.ledger.LedgerRules} what is stored, followed and emitted; out: new requests, items and ledger records for one transaction, and
 * the facts to announce after its commit.
 *
 * <p>
 * Rules for pages that ask something of crawlers: after {@code nofollow} no link of the page is followed, each is counted as a NOFOLLOW refusal; after
 * {@code noindex} the page is in the output, exactly once as every page, but says {@code "noindex": true} and holds neither title, description, text nor
 * fields of other parsers.
 */
@NullMarked
package io.trawl.analyzer.batch;

import org.jspecify.annotations.NullMarked;
