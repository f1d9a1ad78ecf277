package io.trawl.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Somebody's wish that what runs should stop cleanly. Thread-safe. */
public final class StopRequest {
    private final CountDownLatch wish = new CountDownLatch(1);

    /** Asks for it. */
    public void ask() {
        wish.countDown();
    }

    /** Whether somebody has asked. */
    public boolean asked() {
        return wish.getCount() == 0;
    }

    /** Waits for the given time, or until somebody asks: then the answer is true. */
    public boolean within(Duration time) throws InterruptedException {
        return wish.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Waits until somebody asks. */
    public void await() throws InterruptedException {
        wish.await();
    }
}
