package io.trawl.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A request for a graceful shutdown. Thread-safe. */
public final class ShutdownRequest {
    private final CountDownLatch requested = new CountDownLatch(1);

    /** Requests the shutdown. */
    public void ask() {
        requested.countDown();
    }

    /** Whether the shutdown was requested. */
    public boolean asked() {
        return requested.getCount() == 0;
    }

    /** Waits until the shutdown is requested, for at most the given time; returns whether it was requested. */
    public boolean within(Duration time) throws InterruptedException {
        return requested.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Waits until the shutdown is requested. */
    public void await() throws InterruptedException {
        requested.await();
    }
}
