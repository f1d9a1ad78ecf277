package io.trawl.time;

import java.time.Duration;
import java.time.Instant;

/** The machine's clock. */
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
