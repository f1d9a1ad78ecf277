package io.trawl.downloader.partition;

import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.politeness.InheritedPauses;
import io.trawl.politeness.PartitionLeaseStore;
import io.trawl.politeness.PartitionLeaseStore.LeaseClaim;
import io.trawl.telemetry.Outage;
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
 * Takes, renews and releases leases. One call a second renews all of them. While Redis is unavailable they expire one
 * after the other; a thread of its own, which never blocks on Redis, reports them as lost. Thread-safe.
 */
public final class LeaseKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    /**
     * The clocks of two machines may drift apart by one part in this many of a lease: far more than any quartz does.
     */
    private static final int MARGIN = 20;
    private final PartitionLeaseStore leases;
    private final Duration length;
    private final long relied;
    private final Time time;
    private final Outage redis;
    private final Consumer<HeldLease> lost;
    private final Set<HeldLease> held = ConcurrentHashMap.newKeySet();
    private final SleepWatch sleepWatch;
    private final Thread renewing;
    private final Thread watching;

    /** A lease that was taken, with the pauses of earlier owners. */
    public record Grant(HeldLease lease, InheritedPauses inheritedPauses) {}

    /**
     * Keeps leases from {@link #start} on.
     *
     * @param redis reports whether Redis answers
     * @param lost called once for each lease that has expired, that Redis does not know any more, or that is doubtful;
     * must not block
     */
    public LeaseKeeper(PartitionLeaseStore leases, Duration length, Time time, Outage redis, Consumer<HeldLease> lost) {
        this.leases = leases;
        this.length = length;
        this.relied = length.toNanos() - length.toNanos() / MARGIN;
        this.time = time;
        this.redis = redis;
        this.lost = lost;
        this.sleepWatch = new SleepWatch(time);
        this.renewing = Thread.ofVirtual().name("lease-renewal").unstarted(() -> repeat(this::renew));
        this.watching = Thread.ofVirtual().name("lease-watch").unstarted(() -> repeat(this::watch));
    }

    /** Starts to renew. */
    public void start() {
        renewing.start();
        watching.start();
    }

    private interface Step {
        /** Returns the pause before the next step. */
        Duration step();
    }

    private void repeat(Step step) {
        try {
            while (true) {
                time.pause(step.step());
            }
        } catch (InterruptedException e) {
            LOG.debug("stopped renewing leases");
        }
    }

    /**
     * Takes the lease on a partition; empty if another process holds it.
     *
     * @param leaseClaim a new one, or that of a lease that became doubtful: what the process held before it slept
     * @throws LedgerUnavailableException if Redis does not answer; no process relies on the lease then, even if it was
     * taken
     */
    public Optional<Grant> take(LeaseClaim leaseClaim) {
        long before = time.nanos();
        Optional<InheritedPauses> inheritedPauses = leases.take(leaseClaim, length);
        return inheritedPauses.map(left -> {
            HeldLease lease = new HeldLease(leaseClaim, before, relied, sleepWatch, time);
            held.add(lease);
            return new Grant(lease, left);
        });
    }

    /** Notes that the process runs. */
    void awake() {
        sleepWatch.look();
    }

    /** Renews all leases once. */
    Duration renew() {
        awake();
        List<HeldLease> known = List.copyOf(held);
        if (known.isEmpty()) {
            return EVERY;
        }
        long before = time.nanos();
        try {
            Set<LeaseClaim> renewed = leases.renew(known.stream().map(HeldLease::claim).toList(), length);
            redis.end();
            for (HeldLease lease : known) {
                if (renewed.contains(lease.claim())) {
                    lease.confirm(before);
                } else {
                    lose(lease);
                }
            }
        } catch (LedgerUnavailableException e) {
            redis.begin(e);
        }
        return EVERY;
    }

    /** Checks which leases have ended. */
    Duration watch() {
        awake();
        long next = EVERY.toNanos();
        for (HeldLease lease : held) {
            if (!lease.holds()) {
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
     * Releases leases after a hand-over: nothing is in flight and all pauses are recorded.
     *
     * @throws LedgerUnavailableException if Redis does not answer; the leases expire then
     */
    public void release(Collection<HeldLease> given) {
        abandon(given);
        leases.release(given.stream().map(HeldLease::claim).toList());
    }

    /** Lets leases expire; the next owner learns that there was no hand-over. */
    public void abandon(Collection<HeldLease> given) {
        given.forEach(HeldLease::close);
        held.removeAll(given);
    }

    /** Stops renewing. */
    @Override
    public void close() {
        renewing.interrupt();
        watching.interrupt();
    }
}
