package io.trawl.downloader.robots;

import io.trawl.model.HostKey;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Spaces the requests that redirects of robots.txt lead to. Their target has not assigned a turn, and may belong to
 * another downloader. So each target gets one such exchange at a time, each a fixed delay after the last, whichever
 * host was redirected. Pages that a frontier fetches from the same target are not considered, so a redirected request
 * may come between two of them: once per file and time to live, since the fleet shares the results. Thread-safe.
 */
final class RedirectThrottle {
    /** More would wait longer than an exchange should hold a slot. */
    private static final int MOST_WAITING = 32;
    private static final int SWEEP_ABOVE = 1000;
    private final Duration delay;
    private final Time time;
    private final Map<HostKey, Throttle> throttles = new HashMap<>();

    private static final class Throttle {
        private final ReentrantLock turn = new ReentrantLock(true);
        private int users;
        private long opensAt;
    }

    RedirectThrottle(Duration delay, Time time) {
        this.delay = delay;
        this.time = time;
    }

    /** An exchange in the host's own turn is over: redirected requests keep the delay from it. */
    synchronized void requested(HostKey host) {
        throttle(host).opensAt = time.nanos() + delay.toNanos();
    }

    /**
     * Runs an exchange as soon as the delay allows it, on a thread that may block.
     *
     * @param exchange never fails
     * @return empty if too many wait already
     */
    <T> CompletableFuture<Optional<T>> pass(HostKey host, Supplier<CompletableFuture<T>> exchange) {
        Throttle throttle;
        synchronized (this) {
            throttle = throttle(host);
            if (throttle.users >= MOST_WAITING) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            throttle.users++;
        }
        CompletableFuture<Optional<T>> result = new CompletableFuture<>();
        Thread.ofVirtual().name("robots-hop").start(() -> {
            try {
                result.complete(Optional.of(inTurn(throttle, exchange)));
            } catch (InterruptedException | RuntimeException e) {
                result.completeExceptionally(e);
            } finally {
                synchronized (this) {
                    throttle.users--;
                }
            }
        });
        return result;
    }

    private <T> T inTurn(Throttle throttle, Supplier<CompletableFuture<T>> exchange) throws InterruptedException {
        throttle.turn.lockInterruptibly();
        try {
            for (long wait = wait(throttle); wait > 0; wait = wait(throttle)) {
                time.pause(Duration.ofNanos(wait));
            }
            return exchange.get().join();
        } finally {
            synchronized (this) {
                throttle.opensAt = time.nanos() + delay.toNanos();
            }
            throttle.turn.unlock();
        }
    }

    private synchronized long wait(Throttle throttle) {
        return throttle.opensAt - time.nanos();
    }

    private Throttle throttle(HostKey host) {
        if (throttles.size() > SWEEP_ABOVE) {
            throttles.values().removeIf(throttle -> throttle.users == 0 && throttle.opensAt - time.nanos() <= 0);
        }
        return throttles.computeIfAbsent(host, _ -> {
            Throttle throttle = new Throttle();
            throttle.opensAt = time.nanos();
            return throttle;
        });
    }
}
