package io.trawl.downloader.partition;

import io.trawl.time.Time;
import java.time.Duration;

/**
 * Since when this process has run without a break: it was not stopped, and its machine not suspended or too busy, for
 * longer than {@link #BREAK}. Thread-safe.
 */
final class SleepWatch {
    /**
     * Shorter than any session of Kafka's groups: before a break no other process can have got a partition of this one.
     */
    static final Duration BREAK = Duration.ofSeconds(3);
    private final Time time;
    private volatile long since;
    private volatile long seen;

    SleepWatch(Time time) {
        this.time = time;
        this.since = time.nanos();
        this.seen = since;
    }

    /** The process runs now. Must be called much more often than {@link #BREAK}. */
    synchronized void look() {
        long now = time.nanos();
        if (asleep(now, seen)) {
            since = now;
        }
        // Last, so that a thread that sees it sees the end of the break, too.
        seen = now;
    }

    /** The monotonic time since when it runs: now, if no {@link #look} has followed a break. */
    long awakeSince() {
        long now = time.nanos();
        return asleep(now, seen) ? now : since;
    }

    private static boolean asleep(long now, long seen) {
        return now - seen > BREAK.toNanos();
    }
}
