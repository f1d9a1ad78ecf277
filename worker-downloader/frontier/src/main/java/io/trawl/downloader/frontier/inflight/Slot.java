package io.trawl.downloader.frontier.inflight;

/** The right to have one exchange in flight. Created by a {@link SlotPool}, which alone can take it back. */
public final class Slot {
    private final SlotPool pool;
    private final int id;

    Slot(SlotPool pool, int id) {
        this.pool = pool;
        this.id = id;
    }

    SlotPool pool() {
        return pool;
    }

    int id() {
        return id;
    }

    @Override
    public String toString() {
        return "slot " + id;
    }
}
