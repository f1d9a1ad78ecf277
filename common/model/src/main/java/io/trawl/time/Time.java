package io.trawl.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The clock, and the only way to wait. Implementations are safe for use by many threads.
 */
public interface Time extends InstantSource {
    /** The wall clock: for display, never for measuring durations. */
    Instant now();

    @Override
    default Instant instant() {
        return now();
    }

    /** A clock that never goes back, in nanoseconds from an arbitrary origin; compare by subtraction only. */
    long nanos();

    /**
     * Waits for the given time.
     *
     * @throws InterruptedException if the thread was interrupted; the caller ends its loop
     */
    void pause(Duration duration) throws InterruptedException;

    /**
     * Waits until {@link #nanos} is the next multiple of a period, at most as long as that. What a process does once in
     * a period is done at the same moment, so a resting process wakes once for all of it.
     *
     * @throws InterruptedException if the thread was interrupted; the caller ends its loop
     */
    default void pauseUntilNext(Duration period) throws InterruptedException {
        pause(period.minusNanos(Math.floorMod(nanos(), period.toNanos())));
    }

    /** The system clock. */
    static Time system() {
        return SystemTime.INSTANCE;
    }

    /** The system clock. */
    @SystemAccess
    enum SystemTime implements Time {
        INSTANCE;

        @Override
        public Instant now() {
            return Instant.now();
        }

        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void pause(Duration duration) throws InterruptedException {
            Thread.sleep(duration);
        }
    }
}
