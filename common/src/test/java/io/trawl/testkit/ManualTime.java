package io.trawl.testkit;

import io.trawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Time that changes only when a test moves it. Thread-safe. Both clocks move together; the monotonic one starts below
 * zero, as a real one may, so that tests detect code that treats zero as "never".
 */
public final class ManualTime implements Time {
    private static final long FIRST_NANOS = Duration.ofSeconds(-10).toNanos();
    private static final Instant FIRST_INSTANT = Instant.parse("2026-01-01T00:00:00Z");
    private final boolean flows;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Duration> pauses = new ArrayList<>();
    private long elapsed;
    private int waiting;

    private ManualTime(boolean flows) {
        this.flows = flows;
    }

    /** Time in which a pause lasts until {@link #advance} has moved past its end: for code on threads of its own. */
    public static ManualTime standing() {
        return new ManualTime(false);
    }

    /** Time in which a pause moves the clock itself and returns at once: for code that runs on the test's thread. */
    public static ManualTime flowing() {
        return new ManualTime(true);
    }

    /** Moves both clocks forward and wakes the pauses that have ended. */
    public void advance(Duration duration) {
        lock.lock();
        try {
            elapsed += duration.toNanos();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Blocks until this number of threads are in a pause: then moving the clock cannot come too early. */
    public void awaitPausing(int threads) throws InterruptedException {
        lock.lock();
        try {
            while (waiting < threads) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The number of threads in a pause. */
    public int pausing() {
        lock.lock();
        try {
            return waiting;
        } finally {
            lock.unlock();
        }
    }

    /** All requested pauses so far, in order. */
    public List<Duration> pauses() {
        lock.lock();
        try {
            return List.copyOf(pauses);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Instant now() {
        return FIRST_INSTANT.plusNanos(elapsed());
    }

    @Override
    public long nanos() {
        return FIRST_NANOS + elapsed();
    }

    @Override
    public void pause(Duration duration) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        lock.lock();
        try {
            pauses.add(duration);
            long end = elapsed + Math.max(0, duration.toNanos());
            if (flows) {
                elapsed = end;
            }
            waitUntil(end);
        } finally {
            lock.unlock();
        }
    }

    private void waitUntil(long end) throws InterruptedException {
        if (elapsed >= end) {
            return;
        }
        waiting++;
        changed.signalAll();
        try {
            while (elapsed < end) {
                changed.await();
            }
        } finally {
            waiting--;
            changed.signalAll();
        }
    }

    private long elapsed() {
        lock.lock();
        try {
            return elapsed;
        } finally {
            lock.unlock();
        }
    }
}
