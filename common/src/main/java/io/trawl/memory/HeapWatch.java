package io.trawl.memory;

import io.trawl.time.Time;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says when a process must shed load, so that it does not run out of memory: its heap is full above 90 % after a collection, and has room again below 80 %.
 * A thread of its own checks each second. All parts of a process ask the same watch, and report
 * what they do about it in their state. Thread-safe.
 */
public final class HeapWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HeapWatch.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final double FULL = 0.9;
    private static final double ROOMY = 0.8;
    private final HeapLoad load;
    private final Time time;
    private final Thread thread;
    private volatile boolean full;
    private volatile long holds;

    /** @param load of the heap */
    public HeapWatch(HeapLoad load, Time time) {
        this.load = load;
        this.time = time;
        this.thread = Thread.ofVirtual().name("heap").unstarted(this::run);
    }

    /** Starts to check. */
    public void start() {
        thread.start();
    }

    private void run() {
        try {
            while (true) {
                look();
                time.pause(EVERY);
            }
        } catch (InterruptedException e) {
            LOG.debug("stopped watching the heap");
        }
    }

    /** Checks once. */
    public synchronized void look() {
        boolean now = full ? load.whileItShouldFall() >= ROOMY : load.now() > FULL;
        if (now && !full) {
            holds = holds + 1;
        }
        full = now;
    }

    /** Whether no new work may begin now. */
    public boolean full() {
        return full;
    }

    /** How often the heap has become full. */
    public long holds() {
        return holds;
    }

    /** Stops checking; the last answer remains. */
    @Override
    public void close() {
        thread.interrupt();
    }
}
