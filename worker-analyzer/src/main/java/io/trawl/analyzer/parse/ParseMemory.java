package io.trawl.analyzer.parse;

import io.trawl.analyzer.extract.DocumentMemory;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The memory that all pages together may take while they are parsed. Each page reserves what a usual page of its size
 * may take, or the worst one, at most all of it, and waits until that is free, so a small heap parses fewer large pages
 * at once. First come, first served. Thread-safe.
 */
public final class ParseMemory {
    /** What a DOM without a limit of nodes takes per byte of the page at most; measured. */
    private static final int BYTES_PER_BYTE = 512;
    /**
     * What is made of a usual page besides its document: its text, twice in two bytes for each character, links and
     * items.
     */
    private static final int OTHER_BYTES_PER_BYTE = 32;
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
        this.mostNodes = Math.clamp(DocumentMemory.nodes((long) units * UNIT), 1, nodesWanted);
        this.free = new Semaphore(units, true);
    }

    /** The largest number of nodes of a page, so that one page fits. */
    public int mostNodes() {
        return mostNodes;
    }

    /** Blocks until there is room for a page. @param body the length of the page in bytes */
    Reservation reserve(long body, DocumentMemory document) throws InterruptedException {
        long worst = Math.min(body * BYTES_PER_BYTE, DocumentMemory.most(mostNodes));
        long bytes = switch (document) {
            case USUAL -> Math.min(worst, DocumentMemory.usual(body, mostNodes) + body * OTHER_BYTES_PER_BYTE);
            case MOST -> worst;
        };
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
