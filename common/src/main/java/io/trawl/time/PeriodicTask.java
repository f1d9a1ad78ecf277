package io.trawl.time;

import java.time.Duration;

/**
 * Does something again and again on a virtual thread of its own, once in each period, until it is closed. An exception
 * other than that of an interruption ends it. Thread-safe.
 */
public final class PeriodicTask implements AutoCloseable {
    private final Thread thread;

    /** What is done. */
    @FunctionalInterface
    public interface Step {
        /** Does it once. @throws InterruptedException if the task is closed meanwhile */
        void run() throws InterruptedException;
    }

    /**
     * Does nothing before {@link #start}.
     *
     * @param name of the thread
     */
    public PeriodicTask(String name, Duration period, Time time, Step step) {
        this.thread = Thread.ofVirtual().name(name).unstarted(() -> run(period, time, step));
    }

    private static void run(Duration period, Time time, Step step) {
        try {
            while (true) {
                step.run();
                time.pauseUntilNext(period);
            }
        } catch (InterruptedException e) {
            // Closed.
        }
    }

    /** Begins, at once. */
    public void start() {
        thread.start();
    }

    /** Interrupts what is being done, and ends. Does not wait for that. */
    @Override
    public void close() {
        thread.interrupt();
    }
}
