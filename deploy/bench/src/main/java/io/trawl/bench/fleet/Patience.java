package io.trawl.bench.fleet;

import io.trawl.time.Time;
import java.time.Duration;

/** Waits for something that another process does. */
public final class Patience {
    private static final Duration PAUSE = Duration.ofMillis(50);

    private Patience() {}

    /** What is waited for. */
    @FunctionalInterface
    public interface Condition {
        /** Whether it is so now. */
        boolean holds() throws InterruptedException;
    }

    /**
     * Returns when it is so.
     *
     * @throws IllegalStateException if it is not so in time
     */
    public static void until(String what, Duration most, Time time, Condition condition) throws InterruptedException {
        long begun = time.nanos();
        while (!condition.holds()) {
            if (time.nanos() - begun > most.toNanos()) {
                throw new IllegalStateException("waited " + most.toSeconds() + " s in vain for: " + what);
            }
            time.pause(PAUSE);
        }
    }
}
