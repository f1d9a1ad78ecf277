/**
 * The Redis implementation of the ports of other packages: facts about URLs, answered marks, live modules, serial
 * numbers, leases, accepted domains. In: calls from many threads, each one atomic script call; out: values of the
 * ports, or {@link io.trawl.ledger.LedgerUnavailableException}. Redis is never the source of truth: if it loses all
 * data, work repeats and no page is lost. Only this package uses Redisson.
 */
@NullMarked
package io.trawl.redis;

import org.jspecify.annotations.NullMarked;
