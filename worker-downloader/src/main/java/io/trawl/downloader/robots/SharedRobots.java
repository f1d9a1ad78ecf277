package io.trawl.downloader.robots;

import io.trawl.downloader.answer.Outage;
import io.trawl.downloader.robots.RobotsMemory.Key;
import io.trawl.robots.FleetRobots;
import io.trawl.robots.FleetRobots.Found;
import io.trawl.robots.RobotsAnswer;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The fleet's cache as something that is asked without waiting and may be away: then nothing is known, said once in the log, and not tried again for a
 * while. Thread-safe.
 */
final class SharedRobots {
    /** How long a host waits for the cache before its site is asked. */
    private static final long LONGEST_MILLIS = 2000;
    private static final Duration LEFT_ALONE = Duration.ofSeconds(10);
    private final FleetRobots store;
    private final Time time;
    private final Outage outage = new Outage("redis (robots.txt)");
    private final AtomicLong triedAgainAt;

    SharedRobots(FleetRobots store, Time time) {
        this.store = store;
        this.time = time;
        this.triedAgainAt = new AtomicLong(time.nanos());
    }

    /** What the fleet knows; nothing if it cannot be asked. Never fails. */
    CompletableFuture<Optional<Found>> find(Key key) {
        CompletableFuture<Optional<Found>> found = new CompletableFuture<>();
        if (away()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        Thread.ofVirtual().name("robots-find").start(() -> {
            try {
                found.complete(store.find(key.host(), key.token()));
            } catch (RuntimeException e) {
                found.completeExceptionally(e);
            }
        });
        return found.orTimeout(LONGEST_MILLIS, TimeUnit.MILLISECONDS).handle((answer, problem) -> {
            if (problem != null) {
                failed(problem);
                return Optional.empty();
            }
            outage.end();
            return answer;
        });
    }

    /** Tells the fleet; does not wait for it. */
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
        outage.begin(problem.getMessage() == null ? new IllegalStateException("no answer in time", problem) : problem);
    }
}
