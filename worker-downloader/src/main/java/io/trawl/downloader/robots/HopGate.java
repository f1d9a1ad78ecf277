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
 * Spaces the requests that redirects of robots.txt lead to. Their target has not given anybody a turn, and may belong to another downloader; so each
 * target has a gate: one exchange at a time, each a fixed delay after the last, whoever was redirected. What it cannot see are the pages that a frontier
 * fetches from the same target, so a hop may come between two of them: once per file and time to live, as the fleet shares what it finds. Thread-safe.
 */
final class HopGate {
    /** More would wait for longer than anybody should hold a slot. */
    private static final int MOST_WAITING = 32;
    private static final int SWEEP_ABOVE = 1000;
    private final Duration delay;
    private final Time time;
    private final Map<HostKey, Gate> gates = new HashMap<>();

    private static final class Gate {
        private final ReentrantLock turn = new ReentrantLock(true);
        private int users;
        private long opens;
    }

    HopGate(Duration delay, Time time) {
        this.delay = delay;
        this.time = time;
    }

    /** An exchange with a host is over that went by the host's own turn: hops keep their distance from it. */
    synchronized void visited(HostKey host) {
        gate(host).opens = time.nanos() + delay.toNanos();
    }

    /**
     * Makes an exchange when the gate opens, on a thread that may wait.
     *
     * @param exchange never fails
     * @return empty if too many wait already
     */
    <T> CompletableFuture<Optional<T>> pass(HostKey host, Supplier<CompletableFuture<T>> exchange) {
        Gate gate;
        synchronized (this) {
            gate = gate(host);
            if (gate.users >= MOST_WAITING) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            gate.users++;
        }
        CompletableFuture<Optional<T>> result = new CompletableFuture<>();
        Thread.ofVirtual().name("robots-hop").start(() -> {
            try {
                result.complete(Optional.of(inTurn(gate, exchange)));
            } catch (InterruptedException | RuntimeException e) {
                result.completeExceptionally(e);
            } finally {
                synchronized (this) {
                    gate.users--;
                }
            }
        });
        return result;
    }

    private <T> T inTurn(Gate gate, Supplier<CompletableFuture<T>> exchange) throws InterruptedException {
        gate.turn.lockInterruptibly();
        try {
            for (long wait = wait(gate); wait > 0; wait = wait(gate)) {
                time.pause(Duration.ofNanos(wait));
            }
            return exchange.get().join();
        } finally {
            synchronized (this) {
                gate.opens = time.nanos() + delay.toNanos();
            }
            gate.turn.unlock();
        }
    }

    private synchronized long wait(Gate gate) {
        return gate.opens - time.nanos();
    }

    private Gate gate(HostKey host) {
        if (gates.size() > SWEEP_ABOVE) {
            gates.values().removeIf(gate -> gate.users == 0 && gate.opens - time.nanos() <= 0);
        }
        return gates.computeIfAbsent(host, _ -> {
            Gate gate = new Gate();
            gate.opens = time.nanos();
            return gate;
        });
    }
}
