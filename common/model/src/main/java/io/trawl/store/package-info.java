/**
 * What a module keeps in Redis: {@link io.trawl.store.Store} has all ports, those of other packages and a few that
 * belong to none of them. In: calls from many threads; out: values of the ports, or
 * {@link io.trawl.ledger.LedgerUnavailableException}.
 */
@NullMarked
package io.trawl.store;

import org.jspecify.annotations.NullMarked;
