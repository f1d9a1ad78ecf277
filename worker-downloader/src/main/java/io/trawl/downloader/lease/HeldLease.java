package io.trawl.downloader.lease;

import io.trawl.downloader.fetch.Clearance;
import io.trawl.lease.Claim;
import io.trawl.time.Time;

/** One lease, from its take to its end, from which there is no way back: who wants to go on takes another. Thread-safe. */
public final class HeldLease implements Clearance {
    private final Claim claim;
    private final Time time;
    private volatile long until;
    private volatile boolean over;

    HeldLease(Claim claim, long until, Time time) {
        this.claim = claim;
        this.until = until;
        this.time = time;
    }

    /** What it was taken with. */
    public Claim claim() {
        return claim;
    }

    @Override
    public boolean holds() {
        return !over && !lapsed();
    }

    /** From now on nothing begins under it, although nobody else has it yet. */
    public void close() {
        over = true;
    }

    boolean lapsed() {
        return left() <= 0;
    }

    /** Nanoseconds; not positive if it has run out. */
    long left() {
        return until - time.nanos();
    }

    /** It holds until then, if it still holds: what has run out once was perhaps told to others. */
    void extend(long to) {
        if (!lapsed() && to - until > 0) {
            until = to;
        }
    }
}
