package io.trawl.downloader.frontier;

import io.trawl.downloader.fetch.Clearance;
import io.trawl.downloader.politeness.Politeness;
import io.trawl.lease.Legacy;
import io.trawl.model.HostKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The partitions whose hosts may be asked, and what earlier owners left to be heeded: a host that they named waits for the rest of its pause; after a
 * break every host waits for a whole pause of its own, since nobody knows which were asked just before it. Belongs to the frontier's thread.
 */
final class Leaseholds {
    private static final long NEVER = Long.MIN_VALUE;
    private final Map<Integer, Leasehold> held = new HashMap<>();

    /**
     * One lease.
     *
     * @param brokenAt when the last break was; may be negative
     * @param closed hosts and until when
     * @param settled from when on nobody is closed
     */
    private record Leasehold(Clearance lease, long brokenAt, Map<HostKey, Long> closed, long settled) {}

    void begin(int partition, Clearance lease, Legacy legacy, long now) {
        Map<HostKey, Long> closed = new HashMap<>();
        legacy.pauses().forEach((host, pause) -> closed.put(host, Politeness.after(now, Politeness.nanos(pause))));
        long settled = closed.values().stream().mapToLong(Long::longValue).max().orElse(NEVER);
        held.put(partition,
                new Leasehold(lease, legacy.sinceBreak().map(age -> now - age.toNanos()).orElse(NEVER), closed, settled));
    }

    /** Whether there was one. */
    boolean end(int partition) {
        return held.remove(partition) != null;
    }

    /** Whether it is still this one that is relied on. */
    boolean is(int partition, Clearance lease) {
        return lease(partition).filter(l -> l == lease).isPresent();
    }

    Optional<Clearance> lease(int partition) {
        return Optional.ofNullable(held.get(partition)).map(Leasehold::lease);
    }

    /** Whether the lease that is relied on has run out. */
    boolean lapsed(int partition) {
        return lease(partition).filter(l -> !l.holds()).isPresent();
    }

    /**
     * From when on a host may be asked, for all that others have done; {@link Long#MAX_VALUE} without a lease.
     *
     * @param pause that the request wishes for
     */
    long mayStart(int partition, HostKey host, long pause, long now) {
        Leasehold leasehold = held.get(partition);
        if (leasehold == null) {
            return Long.MAX_VALUE;
        }
        long rested = leasehold.brokenAt() == NEVER ? NEVER : Politeness.after(leasehold.brokenAt(), pause);
        return now >= leasehold.settled() ? rested : Math.max(rested, leasehold.closed().getOrDefault(host, NEVER));
    }

    /** Whether a closure is so long that it is written down at once, for whoever comes after a crash. */
    static boolean lasting(Duration pause) {
        return pause.compareTo(Duration.ofSeconds(5)) > 0;
    }
}
