/**
 * What is known about URLs: facts about records that are in Kafka for good, each a running minimum, so that writing one late, twice or by a zombie
 * only repeats a true statement. {@link io.trawl.ledger.LedgerRules} decides from them what is stored, followed, emitted and fetched. Totals and the
 * finish come from {@link io.trawl.ledger.LedgerRecord}s in the ledger topic, never from here.
 */
@NullMarked
package io.trawl.ledger;

import org.jspecify.annotations.NullMarked;
