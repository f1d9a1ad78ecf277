package io.trawl.downloader.partition;

import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.politeness.PartitionLeaseStore.LeaseClaim;
import io.trawl.time.Time;

/**
 * One lease, from when it is taken to its end. An ended lease never holds again; its owner must take another. It has
 * ended, too, if the process slept since Redis last confirmed it: Redis may have lost it meanwhile, and given it to
 * another. Thread-safe.
 */
public final class HeldLease implements FetchPermit {
    private final LeaseClaim leaseClaim;
    private final long relied;
    private final SleepWatch sleepWatch;
    private final Time time;
    /** The time before the last call that took or renewed it. */
    private volatile long confirmed;
    private volatile boolean over;

    /** @param relied for how long its holder relies on it after a confirmation */
    HeldLease(LeaseClaim leaseClaim, long confirmed, long relied, SleepWatch sleepWatch, Time time) {
        this.leaseClaim = leaseClaim;
        this.confirmed = confirmed;
        this.relied = relied;
        this.sleepWatch = sleepWatch;
        this.time = time;
    }

    /** The claim with which it was taken. */
    public LeaseClaim claim() {
        return leaseClaim;
    }

    @Override
    public boolean holds() {
        return !over && !expired() && !doubtful();
    }

    /** No exchange begins under it any more, although no other process has it yet. */
    public void close() {
        over = true;
    }

    boolean expired() {
        return left() <= 0;
    }

    /** The remaining time in nanoseconds; not positive if it has expired. */
    long left() {
        return confirmed + relied - time.nanos();
    }

    /** Whether the process slept since Redis last confirmed it. */
    boolean doubtful() {
        return sleepWatch.awakeSince() - confirmed > 0;
    }

    /** Redis has confirmed it. An ended one stays ended: it may have been reported as lost already. */
    void confirm(long beforeCall) {
        if (holds() && beforeCall - confirmed > 0) {
            confirmed = beforeCall;
        }
    }
}
