package io.trawl.analyzer.parse;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The memory that all pages together may take while they are parsed. Each page reserves what the worst page of its size
 * takes, at most all of it, and waits until that is free, so a small heap parses fewer large pages at once. First come, first served. Thread-safe.
 */
public final class ParseMemory {
    /** An element that jsoup makes without any input, with its share of its parent's list; measured. */
    private static final int BYTES_PER_NODE = 160;
    /** What a DOM without a limit of nodes takes per byte of the page at most; measured. */
    private static final int BYTES_PER_BYTE = 512;
    private static final int UNIT = 1024;
    private final int units;
    private final int mostNodes;
    private final Semaphore free;

    /**
     * @param bytes of the heap
     * @param nodesWanted the largest number of nodes of a page, if the memory permits it
     */
    public ParseMemory(long bytes, int nodesWanted) {
        this.units = Math.clamp(bytes / UNIT, 1, Integer.MAX_VALUE);
        this.mostNodes = Math.clamp((long) units * UNIT / BYTES_PER_NODE, 1, nodesWanted);
        this.free = new Semaphore(units, true);
    }

    /** The largest number of nodes of a page, so that one page fits. */
    public int mostNodes() {
        return mostNodes;
    }

    /** Blocks until there is room for the DOM of a page. @param body the length of the page in bytes */
    Reservation reserve(long body) throws InterruptedException {
        long bytes = Math.min(body * BYTES_PER_BYTE, (long) mostNodes * BYTES_PER_NODE);
        int wanted = Math.clamp(bytes / UNIT, 1, units);
        free.acquire(wanted);
        return new Reservation(wanted);
    }

    /** Reserved memory. Thread-safe. */
    final class Reservation {
        private final int reserved;
        private final AtomicBoolean released = new AtomicBoolean();

        private Reservation(int reserved) {
            this.reserved = reserved;
        }

        /** Returns the memory; later calls do nothing. */
        void release() {
            if (released.compareAndSet(false, true)) {
                free.release(reserved);
            }
        }
    }
}
