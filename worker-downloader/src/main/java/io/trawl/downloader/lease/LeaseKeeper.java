package io.trawl.downloader.lease;

import io.trawl.downloader.answer.Outage;
import io.trawl.lease.Claim;
import io.trawl.lease.Legacy;
import io.trawl.lease.PartitionLeases;
import io.trawl.lease.Shard;
import io.trawl.ledger.LedgerUnavailable;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes, renews and gives back leases. All of them are renewed by one call a second. While Redis is away they run out one after the other and are told to be
 * lost, by a thread of its own that waits for nobody. Thread-safe.
 */
public final class LeaseKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    /** Clocks of two machines may run this much apart, in parts of a lease: far more than any quartz does. */
    private static final int MARGIN = 20;
    private final PartitionLeases leases;
    private final Duration length;
    private final long relied;
    private final Time time;
    private final Outage redis;
    private final Consumer<HeldLease> lost;
    private final Set<HeldLease> held = ConcurrentHashMap.newKeySet();
    private final Thread renewing;
    private final Thread watching;

    /** A lease that was taken. */
    public record Grant(HeldLease lease, Legacy legacy) {}

    /**
     * Keeps leases from {@link #start} on.
     *
     * @param redis told whether it answers
     * @param lost told once of each lease that ran out, or that Redis does not know any more; must not block
     */
    public LeaseKeeper(PartitionLeases leases, Duration length, Time time, Outage redis, Consumer<HeldLease> lost) {
        this.leases = leases;
        this.length = length;
        this.relied = length.toNanos() - length.toNanos() / MARGIN;
        this.time = time;
        this.redis = redis;
        this.lost = lost;
        this.renewing = Thread.ofVirtual().name("lease-renewal").unstarted(() -> repeat(this::renew));
        this.watching = Thread.ofVirtual().name("lease-watch").unstarted(() -> repeat(this::watch));
    }

    /** Begins to renew. */
    public void start() {
        renewing.start();
        watching.start();
    }

    private interface Step {
        /** Returns after what pause it is to be repeated. */
        Duration step();
    }

    private void repeat(Step step) {
        try {
            while (true) {
                time.pause(step.step());
            }
        } catch (InterruptedException e) {
            LOG.debug("leases are no longer kept");
        }
    }

    /**
     * Takes the lease on a shard; empty if somebody else holds it.
     *
     * @throws LedgerUnavailable if Redis does not answer; whatever it did, nobody relies on it
     */
    public Optional<Grant> take(Shard shard) {
        Claim claim = Claim.on(shard);
        long before = time.nanos();
        Optional<Legacy> legacy = leases.take(claim, length);
        return legacy.map(left -> {
            HeldLease lease = new HeldLease(claim, before + relied, time);
            held.add(lease);
            return new Grant(lease, left);
        });
    }

    /** Renews all leases once. */
    Duration renew() {
        List<HeldLease> known = List.copyOf(held);
        if (known.isEmpty()) {
            return EVERY;
        }
        long before = time.nanos();
        try {
            Set<Claim> renewed = leases.renew(known.stream().map(HeldLease::claim).toList(), length);
            redis.end();
            for (HeldLease lease : known) {
                if (renewed.contains(lease.claim())) {
                    lease.extend(before + relied);
                } else {
                    lose(lease);
                }
            }
        } catch (LedgerUnavailable e) {
            redis.begin(e);
        }
        return EVERY;
    }

    /** Looks which leases have run out. */
    Duration watch() {
        long next = EVERY.toNanos();
        for (HeldLease lease : held) {
            if (lease.lapsed()) {
                lose(lease);
            } else {
                next = Math.min(next, lease.left());
            }
        }
        return Duration.ofNanos(next);
    }

    private void lose(HeldLease lease) {
        lease.close();
        if (held.remove(lease)) {
            lost.accept(lease);
        }
    }

    /**
     * Gives leases back, handed over: nothing is under way and all pauses are noted.
     *
     * @throws LedgerUnavailable if Redis does not answer: then they run out
     */
    public void release(Collection<HeldLease> given) {
        abandon(given);
        leases.release(given.stream().map(HeldLease::claim).toList());
    }

    /** Lets leases run out; whoever comes next will know that they were not handed over. */
    public void abandon(Collection<HeldLease> given) {
        given.forEach(HeldLease::close);
        held.removeAll(given);
    }

    /** Renews nothing any more. */
    @Override
    public void close() {
        renewing.interrupt();
        watching.interrupt();
    }
}
