package io.trawl.time;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does something again and again on a virtual thread of its own, once in each period, until it is closed. After an
 * exception other than that of an interruption it goes on in the next period, and logs the first of a series.
 * Thread-safe.
 */
public final class PeriodicTask implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeriodicTask.class);
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
        this.thread = Thread.ofVirtual().name(name).unstarted(() -> run(name, period, time, step));
    }

    private static void run(String name, Duration period, Time time, Step step) {
        boolean failed = false;
        try {
            while (true) {
                failed = failed(name, step, failed);
                time.pauseUntilNext(period);
            }
        } catch (InterruptedException e) {
            // Closed.
        }
    }

    private static boolean failed(String name, Step step, boolean before) throws InterruptedException {
        try {
            step.run();
            return false;
        } catch (RuntimeException e) {
            if (Thread.interrupted()) { // clients of Kafka have an exception of their own for this
                throw new InterruptedException();
            }
            if (before) {
                LOG.debug("{} has failed again", name, e);
            } else {
                LOG.error("{} has failed, and is tried again in each period", name, e);
            }
            return true;
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
