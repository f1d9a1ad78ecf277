package io.trawl.lease;

import io.trawl.model.HostKey;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Leases on shards, and what their hosts were promised. A holder may count on a lease for its length from before the call that took or renewed it, by its own
 * clock. Thread-safe; every call is one round trip (but {@link #note} of thousands), may be repeated, and throws
 * {@link io.trawl.ledger.LedgerUnavailable}.
 */
public interface PartitionLeases {
    /** Takes the lease in one step, for so long; empty if another claim holds it. Whoever held it without a {@link #release} counts as broken off. */
    Optional<Legacy> take(Claim claim, Duration length);

    /** Renews leases; returns those that are still held by their claims. One that has run out cannot be renewed: somebody may have held it since. */
    Set<Claim> renew(Collection<Claim> claims, Duration length);

    /** Closes hosts of a shard for whoever takes it next. A shorter pause never ends a longer one. A statement of fact: no lease is needed. */
    void note(Shard shard, Map<HostKey, Duration> pauses);

    /** Gives leases back, handed over: all pauses of their hosts are noted and no exchange is under way. Claims that hold nothing are ignored. */
    void release(Collection<Claim> claims);
}
