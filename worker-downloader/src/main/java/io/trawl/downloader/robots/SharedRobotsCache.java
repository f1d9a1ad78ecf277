package io.trawl.downloader.robots;

import io.trawl.downloader.robots.LocalRobotsCache.Key;
import io.trawl.politeness.RobotsAnswer;
import io.trawl.politeness.RobotsStore;
import io.trawl.politeness.RobotsStore.StoredRobots;
import io.trawl.telemetry.Outage;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Access to the fleet's cache that never blocks. While the cache is unavailable it returns nothing, logs that once, and
 * does not ask it again for a while. Thread-safe.
 */
final class SharedRobotsCache {
    /** How long a host waits for the cache before its site is asked. */
    private static final long LONGEST_MILLIS = 2000;
    private static final Duration LEFT_ALONE = Duration.ofSeconds(10);
    private final RobotsStore store;
    private final Time time;
    private final Outage outage = new Outage("redis (robots.txt)");
    private final AtomicLong triedAgainAt;

    SharedRobotsCache(RobotsStore store, Time time) {
        this.store = store;
        this.time = time;
        this.triedAgainAt = new AtomicLong(time.nanos());
    }

    /** The cached answer; empty if the cache is unavailable. Never fails. */
    CompletableFuture<Optional<StoredRobots>> find(Key key) {
        CompletableFuture<Optional<StoredRobots>> storedRobots = new CompletableFuture<>();
        if (away()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        Thread.ofVirtual().name("robots-find").start(() -> {
            try {
                storedRobots.complete(store.find(key.host(), key.token()));
            } catch (RuntimeException e) {
                storedRobots.completeExceptionally(e);
            }
        });
        return storedRobots.orTimeout(LONGEST_MILLIS, TimeUnit.MILLISECONDS).handle((answer, problem) -> {
            if (problem != null) {
                failed(problem);
                return Optional.empty();
            }
            outage.end();
            return answer;
        });
    }

    /** Writes to the fleet's cache without waiting for it. */
    void keep(Key key, RobotsAnswer answer, Duration believed) {
        if (!away()) {
            Thread.ofVirtual().name("robots-keep").start(() -> {
                try {
                    store.keep(key.host(), key.token(), answer, believed);
                } catch (RuntimeException e) {
                    failed(e);
                }
            });
        }
    }

    private boolean away() {
        return triedAgainAt.get() - time.nanos() > 0;
    }

    private void failed(Throwable problem) {
        triedAgainAt.set(time.nanos() + LEFT_ALONE.toNanos());
        outage.begin(problem.getMessage() == null ? "no answer in time" : problem.getMessage());
    }
}
