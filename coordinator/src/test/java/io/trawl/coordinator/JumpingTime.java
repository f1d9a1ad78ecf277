package io.trawl.coordinator;

import io.trawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/** The machine's clock, except that a test can set the wall clock forward. Thread-safe. */
final class JumpingTime implements Time {
    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

    /** Sets the wall clock forward. */
    void jump(Duration forward) {
        ahead.updateAndGet(before -> before.plus(forward));
    }

    @Override
    public Instant now() {
        return Time.system().now().plus(ahead.get());
    }

    @Override
    public long nanos() {
        return Time.system().nanos();
    }

    @Override
    public void pause(Duration duration) throws InterruptedException {
        Time.system().pause(duration);
    }
}
