package io.trawl.memory;

import io.trawl.time.PeriodicTask;
import io.trawl.time.Time;
import java.time.Duration;

/**
 * Says when a process must shed load, so that it does not run out of memory: its heap is full above 90 % after a
 * collection, and has room again below 80 %. A thread of its own checks each second. All parts of a process ask the
 * same watch, and report what they do about it in their state. Thread-safe.
 */
public final class HeapWatch implements AutoCloseable {
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final double FULL = 0.9;
    private static final double ROOMY = 0.8;
    private final HeapLoad load;
    private final PeriodicTask task;
    private volatile boolean full;
    private volatile long holds;

    /** @param load of the heap */
    public HeapWatch(HeapLoad load, Time time) {
        this.load = load;
        this.task = new PeriodicTask("heap", EVERY, time, this::look);
    }

    /** Starts to check. */
    public void start() {
        task.start();
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
        task.close();
    }
}
