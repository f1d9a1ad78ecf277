package io.trawl.politeness;

import io.trawl.model.HostKey;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Leases on partitions, and the pauses of their hosts. A holder may rely on a lease for its duration from before the
 * call that took or renewed it, by its own clock. Thread-safe; every call is one round trip ({@link #note} of thousands
 * of hosts takes more), may be repeated, and throws {@link io.trawl.ledger.LedgerUnavailableException}.
 */
public interface PartitionLeaseStore {
    /**
     * Takes the lease atomically for this duration; empty if another claim holds it. A previous holder without a
     * {@link #release} counts as dead.
     */
    Optional<InheritedPauses> take(LeaseClaim leaseClaim, Duration length);

    /**
     * Renews leases; returns the claims that still hold theirs. An expired lease cannot be renewed: another process may
     * have held it since.
     */
    Set<LeaseClaim> renew(Collection<LeaseClaim> leaseClaims, Duration length);

    /**
     * Closes a partition whose topics are replaced: nobody gets its lease any more. Empty while a claim holds it. A
     * later call returns what is left of the same pauses.
     */
    Optional<InheritedPauses> close(LeasedPartition leasedPartition);

    /** Records what the next holder inherits, as if it came from a holder of the same partition. */
    void bequeath(LeasedPartition leasedPartition, InheritedPauses pauses);

    /**
     * Records pauses of hosts for the next holder. A shorter pause never ends a longer one. Needs no lease, since it
     * only states facts.
     */
    void note(LeasedPartition leasedPartition, Map<HostKey, Duration> pauses);

    /**
     * Releases leases cleanly: all pauses of their hosts are recorded and no fetch is in flight. Claims that hold
     * nothing are ignored.
     */
    void release(Collection<LeaseClaim> leaseClaims);

    /**
     * One attempt to lease a partition. A late call acts for its own claim only, never for a later one of the same
     * process.
     *
     * @param token unique per claim
     */
    record LeaseClaim(LeasedPartition shard, String token) {
        /** A new claim with a unique token. */
        public static LeaseClaim on(LeasedPartition leasedPartition) {
            return new LeaseClaim(leasedPartition, UUID.randomUUID().toString());
        }
    }

    /**
     * One partition number of the request topics, in every priority: the unit of a lease.
     *
     * @param generation of the request topics
     */
    record LeasedPartition(int generation, int partition) {
        @Override
        public String toString() {
            return "g" + generation + ":" + partition;
        }
    }
}
