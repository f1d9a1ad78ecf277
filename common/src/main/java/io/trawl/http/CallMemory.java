package io.trawl.http;

import io.trawl.memory.HeapShares;
import java.util.concurrent.Semaphore;

/**
 * The memory that the bodies of all calls may take together: a share of the heap. A body is read only when there is
 * room for it and for what is made of it. Thread-safe.
 */
public final class CallMemory {
    /** How often {@link #reserve} asks callers to wait before they try again, in seconds. */
    private static final int AGAIN = 1;
    private static final int UNIT = 1024;
    private final int units;
    private final Semaphore room;

    private CallMemory(long bytes) {
        this.units = (int) Math.min(Integer.MAX_VALUE, bytes / UNIT);
        this.room = new Semaphore(units);
    }

    /** The budget of this process. */
    public static CallMemory ofHeap() {
        return new CallMemory(HeapShares.ofThisJvm().calls());
    }

    /** With so many bytes. */
    public static CallMemory of(long bytes) {
        return new CallMemory(bytes);
    }

    /**
     * Reserves memory until the reservation is closed.
     *
     * @throws CallRefusedException 413 if there is never so much room, 503 if there is not now
     */
    public Reservation reserve(long bytes) {
        long wanted = (bytes + UNIT - 1) / UNIT;
        if (wanted > units) {
            throw new CallRefusedException(413, "the heap of this process has no room for a body of this size");
        }
        if (!room.tryAcquire((int) wanted)) {
            throw CallRefusedException.unavailable("the bodies of other calls take the memory that there is for them",
                    AGAIN);
        }
        return new Reservation(room, (int) wanted);
    }

    /** Reserved memory. */
    public static final class Reservation implements AutoCloseable {
        private final Semaphore room;
        private int units;

        private Reservation(Semaphore room, int units) {
            this.room = room;
            this.units = units;
        }

        /** Gives it back; once. */
        @Override
        public synchronized void close() {
            room.release(units);
            units = 0;
        }
    }
}
