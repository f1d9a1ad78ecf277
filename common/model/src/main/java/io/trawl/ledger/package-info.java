/**
 * Facts about URLs, each about a committed record in Kafka and each a running minimum, so that a late, repeated or
 * zombie write only repeats a true statement. {@link io.trawl.ledger.LedgerRules} decides from them what is stored,
 * followed, emitted and fetched. Totals and the end of a crawl come from {@link io.trawl.ledger.LedgerRecord}s in the
 * ledger topic, never from here.
 */
@NullMarked
package io.trawl.ledger;

import org.jspecify.annotations.NullMarked;
