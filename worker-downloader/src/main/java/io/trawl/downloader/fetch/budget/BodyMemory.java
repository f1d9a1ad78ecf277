package io.trawl.downloader.fetch.budget;

import io.trawl.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The memory of a process for bodies, from their first byte until Kafka has them. An exchange that waits for its first
 * byte holds none, and one that has received more than {@value #LEAST_SHARE} bytes gets one of a number of shares, so
 * ordinary pages seldom wait. A longer body, or one for which no share is left, claims all that it may still need from
 * a common pool, at once, and its connection is not read until the pool has room: first in, first out. Bodies that are
 * received and not written yet are held in the pool, too. So large bodies wait for each other, and the process does not
 * run out of memory. Thread-safe.
 */
public final class BodyMemory {
    /** What an exchange may hold in any case: what the client receives before it asks. */
    public static final int LEAST_SHARE = 64 * 1024;

    private final int share;
    private int shares;
    private final long pool;
    private final Time time;
    private final Deque<Claim> waiting = new ArrayDeque<>();
    private long free;
    private long held;

    /**
     * @param share bytes that an exchange may hold without a claim
     * @param shares how many exchanges may have more than {@value #LEAST_SHARE} bytes of theirs at a time
     * @param pool bytes for all that exchanges hold beyond
     */
    public BodyMemory(int share, int shares, long pool, Time time) {
        this.share = share;
        this.shares = shares;
        this.pool = pool;
        this.time = time;
        this.free = pool;
    }

    /** A quarter of so many bytes for so many shares, the rest for the pool. */
    public static BodyMemory of(long bytes, int shares, Time time) {
        long all = bytes / 4;
        return new BodyMemory(Math.clamp(all / shares, LEAST_SHARE, Integer.MAX_VALUE), shares, bytes - all, time);
    }

    /** The bytes of the pool that no claim holds. */
    public synchronized long free() {
        return free;
    }

    /**
     * How many bodies of this size may be decoded at a time: encoded and decoded form and the growth of a buffer take
     * twice as much.
     */
    public int decoders(int bodyLimit) {
        return Math.clamp(pool / (2L * bodyLimit), 1, Runtime.getRuntime().availableProcessors());
    }

    /** Holds a body that is received, even if the pool has no room for it. */
    public synchronized void hold(int bytes) {
        free -= bytes;
        held += bytes;
    }

    /** Gives back what was held. */
    public void release(int bytes) {
        synchronized (this) {
            free += bytes;
            held -= bytes;
        }
        grant();
    }

    /** Whether bodies that are not written yet take more than the pool: nothing more should be fetched. */
    public synchronized boolean overdrawn() {
        return held > pool;
    }

    /** A claim of one exchange, which holds nothing yet. */
    public Claim claim() {
        return new Claim();
    }

    /** The part of the pool that one exchange holds or waits for. */
    public final class Claim implements AutoCloseable {
        private long bytes;
        private boolean closed;
        private int own;
        private boolean hasShare;
        private Runnable granted = () -> {};
        private long asked;
        private long answered;

        private Claim() {}

        /** What the exchange may hold without asking, the same each time; takes a share if there is one. */
        public int share() {
            synchronized (BodyMemory.this) {
                if (own == 0) {
                    hasShare = shares > 0 && !closed;
                    shares -= hasShare ? 1 : 0;
                    own = hasShare ? share : Math.min(share, LEAST_SHARE);
                }
                return own;
            }
        }

        /** Claims so many bytes, or the whole pool if it is smaller. Only once; {@code granted} runs on any thread. */
        public void request(long wanted, Runnable whenGranted) {
            synchronized (BodyMemory.this) {
                if (closed || bytes > 0) {
                    return;
                }
                bytes = Math.min(wanted, pool);
                granted = whenGranted;
                asked = time.nanos();
                waiting.add(this);
            }
            grant();
        }

        /** Whether the pool has had no room for it so far. */
        public boolean isWaiting() {
            synchronized (BodyMemory.this) {
                return waiting.contains(this);
            }
        }

        /** How long its connection has not been read because the pool had no room: no time of the server. */
        public Duration waited() {
            synchronized (BodyMemory.this) {
                return Duration.ofNanos((isWaiting() ? time.nanos() : answered) - asked);
            }
        }

        /** Whether its connection was not read all of this time, so that the server's silence means nothing. */
        public boolean waitedWithin(Duration last) {
            synchronized (BodyMemory.this) {
                return isWaiting() || answered != asked && time.nanos() - answered < last.toNanos();
            }
        }

        /** Gives back what it holds. */
        @Override
        public void close() {
            synchronized (BodyMemory.this) {
                if (closed) {
                    return;
                }
                closed = true;
                shares += hasShare ? 1 : 0;
                if (!waiting.remove(this)) {
                    free += bytes;
                }
            }
            grant();
        }
    }

    /** A claim of all of the pool need not wait until nothing at all is held, which may never be. */
    private boolean fits(Claim claim) {
        boolean alone = free + held == pool;
        return claim.bytes <= free || alone && claim.bytes == pool && free > 0;
    }

    private void grant() {
        List<Claim> next = new ArrayList<>();
        synchronized (this) {
            for (Claim first = waiting.peek(); first != null && fits(first); first = waiting.peek()) {
                free -= first.bytes;
                first.answered = time.nanos();
                next.add(waiting.remove());
            }
        }
        next.forEach(claim -> claim.granted.run());
    }
}
