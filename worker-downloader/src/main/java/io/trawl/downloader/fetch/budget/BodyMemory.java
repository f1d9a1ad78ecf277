package io.trawl.downloader.fetch.budget;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The memory of a process for bodies that are being received. Each exchange has a share of its own, so ordinary pages never
 * wait. A longer body claims all that it may still need from a common pool, at once, and its connection is not read until
 * the pool has room: first in, first out. So large bodies wait for each other, and the process does not run out of memory.
 * Thread-safe.
 */
public final class BodyMemory {
    /** What each exchange may hold in any case: what the client receives before it asks. */
    public static final int LEAST_SHARE = 64 * 1024;

    private final int share;
    private final long pool;
    private final Deque<Claim> waiting = new ArrayDeque<>();
    private long free;

    /**
     * @param share bytes that every exchange may hold
     * @param pool bytes for all that exchanges hold beyond
     */
    public BodyMemory(int share, long pool) {
        this.share = share;
        this.pool = pool;
        this.free = pool;
    }

    /** A quarter of the heap, one half of it for the shares. */
    public static BodyMemory ofHeap(long heap, int exchanges) {
        long half = heap / 8;
        return new BodyMemory(Math.clamp(half / exchanges, LEAST_SHARE, Integer.MAX_VALUE), half);
    }

    /** The bytes of the pool that no claim holds. */
    public synchronized long free() {
        return free;
    }

    /** A claim of one exchange, which holds nothing yet. */
    public Claim claim() {
        return new Claim();
    }

    /** The part of the pool that one exchange holds or waits for. */
    public final class Claim implements AutoCloseable {
        private long bytes;
        private boolean closed;
        private Runnable granted = () -> {};

        private Claim() {}

        /** What the exchange may hold without asking. */
        public int share() {
            return share;
        }

        /** Claims so many bytes, or the whole pool if it is smaller. Only once; {@code granted} runs on any thread. */
        public void request(long wanted, Runnable whenGranted) {
            synchronized (BodyMemory.this) {
                if (closed || bytes > 0) {
                    return;
                }
                bytes = Math.min(wanted, pool);
                granted = whenGranted;
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

        /** Gives back what it holds. */
        @Override
        public void close() {
            synchronized (BodyMemory.this) {
                if (closed) {
                    return;
                }
                closed = true;
                if (!waiting.remove(this)) {
                    free += bytes;
                }
            }
            grant();
        }
    }

    private void grant() {
        List<Claim> next = new ArrayList<>();
        synchronized (this) {
            for (Claim first = waiting.peek(); first != null && first.bytes <= free; first = waiting.peek()) {
                free -= first.bytes;
                next.add(waiting.remove());
            }
        }
        next.forEach(claim -> claim.granted.run());
    }
}
