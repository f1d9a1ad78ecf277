package io.trawl.downloader.frontier.inflight;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A fixed number of download slots, all created up front (S3). Taking and returning are atomic, so a slot is never both
 * free and taken. Thread-safe.
 */
public final class SlotPool {
    private final Slot[] slots;
    private final Deque<Slot> free = new ArrayDeque<>();
    private final BitSet taken = new BitSet();

    /** @param total the number of slots, at least 1 */
    public SlotPool(int total) {
        if (total < 1) {
            throw new IllegalArgumentException("a pool has at least one slot, not " + total);
        }
        slots = IntStream.range(0, total).mapToObj(id -> new Slot(this, id)).toArray(Slot[]::new);
        free.addAll(java.util.List.of(slots));
    }

    /** Takes a free slot; empty if all are taken. */
    public synchronized Optional<Slot> take() {
        Slot slot = free.poll();
        if (slot == null) {
            return Optional.empty();
        }
        taken.set(slot.id());
        return Optional.of(slot);
    }

    /**
     * Takes a slot back.
     *
     * @throws IllegalArgumentException if it belongs to another pool
     * @throws IllegalStateException if it is free already
     */
    public synchronized void giveBack(Slot slot) {
        if (slot.pool() != this || slots[slot.id()] != slot) {
            throw new IllegalArgumentException(slot + " belongs to another pool");
        }
        if (!taken.get(slot.id())) {
            throw new IllegalStateException(slot + " is back already");
        }
        taken.clear(slot.id());
        free.push(slot);
    }

    /** The number of slots. */
    public int total() {
        return slots.length;
    }

    /** The number of taken slots. */
    public synchronized int used() {
        return slots.length - free.size();
    }

    /** Whether {@link #take} would return a slot. Only a single taker may rely on it. */
    public synchronized boolean available() {
        return !free.isEmpty();
    }
}
