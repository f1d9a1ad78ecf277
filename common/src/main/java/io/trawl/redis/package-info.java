/**
 * Redis behind the ports of the other packages: facts about URLs, answered marks, live modules, serial numbers, leases, accepted domains. In: calls from many
 * threads; each becomes one script call that Redis runs as a whole; out: values of the ports, or {@link io.trawl.ledger.LedgerUnavailable}. Nothing here
 * is the truth: losing all of it makes work repeat and loses nothing. This is the only package that knows Redisson.
 */
@NullMarked
package io.trawl.redis;

import org.jspecify.annotations.NullMarked;
