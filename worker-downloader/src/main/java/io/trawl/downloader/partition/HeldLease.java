package io.trawl.downloader.partition;

import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.politeness.PartitionLeaseStore.LeaseClaim;
import io.trawl.time.Time;

/** One lease, from when it is taken to its end. An ended lease never holds again; its owner must take another. Thread-safe. */
public final class HeldLease implements FetchPermit {
    private final LeaseClaim leaseClaim;
    private final Time time;
    private volatile long until;
    private volatile boolean over;

    HeldLease(LeaseClaim leaseClaim, long until, Time time) {
        this.leaseClaim = leaseClaim;
        this.until = until;
        this.time = time;
    }

    /** The claim with which it was taken. */
    public LeaseClaim claim() {
        return leaseClaim;
    }

    @Override
    public boolean holds() {
        return !over && !expired();
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
        return until - time.nanos();
    }

    /** Extends the lease if it still holds: an expired one may have been reported as lost already. */
    void extend(long to) {
        if (!expired() && to - until > 0) {
            until = to;
        }
    }
}
