package io.trawl.bench.fleet;

import io.trawl.time.Time;
import java.time.Duration;

/** Waits for a condition that another process fulfils. */
public final class Await {
    private static final Duration PAUSE = Duration.ofMillis(50);

    private Await() {}

    /** The condition. */
    @FunctionalInterface
    public interface Condition {
        /** Whether the condition holds now. */
        boolean holds() throws InterruptedException;
    }

    /**
     * Returns when the condition holds.
     *
     * @throws IllegalStateException if the time-out expires
     */
    public static void until(String description, Duration timeout, Time time, Condition condition)
            throws InterruptedException {
        long begun = time.nanos();
        while (!condition.holds()) {
            if (time.nanos() - begun > timeout.toNanos()) {
                throw new IllegalStateException(
                        "waited " + timeout.toSeconds() + " s without success for: " + description);
            }
            time.pause(PAUSE);
        }
    }
}
