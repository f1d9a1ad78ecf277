package io.trawl.coordinator;

import io.trawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/** The machine's clock, except that a test can set forward. Thread-safe. */
final class JumpingTime implements Time {
    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    private final AtomicReference<Duration> suspended = new AtomicReference<>(Duration.ZERO);

    /** Sets the wall clock forward. */
    void jump(Duration forward) {
        ahead.updateAndGet(before -> before.plus(forward));
    }

    /** The machine was suspended for so long: no clock of it noticed. */
    void suspend(Duration duration) {
        suspended.updateAndGet(before -> before.plus(duration));
        jump(duration);
    }

    @Override
    public Instant now() {
        return Time.system().now().plus(ahead.get());
    }

    @Override
    public long nanos() {
        return Time.system().nanos() + suspended.get().toNanos();
    }

    @Override
    public void pause(Duration duration) throws InterruptedException {
        Time.system().pause(duration);
    }
}
