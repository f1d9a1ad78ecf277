package io.trawl.downloader.politeness;

import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.model.HostKey;
import io.trawl.politeness.InheritedPauses;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The leased partitions, and the pauses inherited from earlier owners. A host with an inherited pause waits for the
 * rest of it. After a break every host waits for a whole pause of its own, since nothing shows which hosts were asked
 * just before the break. Belongs to the frontier's thread.
 */
public final class PartitionLeases {
    private static final long NEVER = Long.MIN_VALUE;
    private final Map<Integer, PartitionLease> held = new HashMap<>();

    /**
     * One lease.
     *
     * @param brokenAt when the last break was; may be negative
     * @param closed hosts and the end of their pauses
     * @param settled from when on no host has an inherited pause
     */
    private record PartitionLease(FetchPermit lease, long brokenAt, Map<HostKey, Long> closed, long settled) {}

    public void begin(int partition, FetchPermit lease, InheritedPauses inheritedPauses, long now) {
        Map<HostKey, Long> closed = new HashMap<>();
        inheritedPauses.pauses()
                .forEach((host, pause) -> closed.put(host, Politeness.after(now, Politeness.nanos(pause))));
        long settled = closed.values().stream().mapToLong(Long::longValue).max().orElse(NEVER);
        held.put(partition, new PartitionLease(lease,
                inheritedPauses.sinceBreak().map(age -> now - age.toNanos()).orElse(NEVER), closed, settled));
    }

    /** Whether there was a lease. */
    public boolean end(int partition) {
        return held.remove(partition) != null;
    }

    /** Whether the partition still relies on this lease. */
    public boolean is(int partition, FetchPermit lease) {
        return lease(partition).filter(l -> l == lease).isPresent();
    }

    public Optional<FetchPermit> lease(int partition) {
        return Optional.ofNullable(held.get(partition)).map(PartitionLease::lease);
    }

    /** Whether the partition's lease has expired. */
    public boolean expired(int partition) {
        return lease(partition).filter(l -> !l.holds()).isPresent();
    }

    /**
     * From when on a host may be asked, given the requests of earlier owners; {@link Long#MAX_VALUE} without a lease.
     *
     * @param pause the pause before the request
     */
    public long mayStart(int partition, HostKey host, long pause, long now) {
        PartitionLease partitionLease = held.get(partition);
        if (partitionLease == null) {
            return Long.MAX_VALUE;
        }
        long rested = partitionLease.brokenAt() == NEVER ? NEVER : Politeness.after(partitionLease.brokenAt(), pause);
        return now >= partitionLease.settled()
                ? rested
                : Math.max(rested, partitionLease.closed().getOrDefault(host, NEVER));
    }

    /** Whether a pause is so long that it is recorded at once, so that it survives a crash. */
    public static boolean lasting(Duration pause) {
        return pause.compareTo(Duration.ofSeconds(5)) > 0;
    }
}
