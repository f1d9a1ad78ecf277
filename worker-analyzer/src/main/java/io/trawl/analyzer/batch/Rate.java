package io.trawl.analyzer.batch;

import io.trawl.time.Time;
import java.util.concurrent.TimeUnit;

/** How many events there were, in all and per second of the last ten. Thread-safe. */
final class Rate {
    private static final int WINDOW = 10;
    private final long[] seconds = new long[WINDOW];
    private final Time time;
    private final long start;
    private long newest;
    private long total;

    Rate(Time time) {
        this.time = time;
        this.start = time.nanos();
    }

    synchronized void mark(long n) {
        seconds[(int) (now() % WINDOW)] += n;
        total += n;
    }

    synchronized long total() {
        return total;
    }

    /** Over the last ten seconds, or the time since the start if that is shorter. */
    synchronized double perSecond() {
        long elapsed = now() + 1;
        long sum = 0;
        for (long n : seconds) {
            sum += n;
        }
        return Math.round(10.0 * sum / Math.min(WINDOW, elapsed)) / 10.0;
    }

    /** The present second, after emptying those that have passed since the last look. */
    private long now() {
        long second = TimeUnit.NANOSECONDS.toSeconds(time.nanos() - start);
        for (long s = Math.max(newest + 1, second - WINDOW + 1); s <= second; s++) {
            seconds[(int) (s % WINDOW)] = 0;
        }
        newest = Math.max(newest, second);
        return second;
    }
}
