package io.trawl.coordinator.queue;

/** What one batch of seeds may fill, and has filled. Made by {@link Capacity}; belongs to the leader's thread. */
public final class Room {
    private final long[] left;
    private final long[] taken;
    private final long[] used;

    Room(long[] left) {
        this.left = left;
        this.taken = new long[left.length];
        this.used = new long[left.length];
    }

    /**
     * Takes room for a request.
     *
     * @param hasPlace whether its seed came with a place of its own
     * @return false if there is none: CHANNEL_FULL
     */
    public boolean take(int priority, boolean hasPlace) {
        if (!hasPlace && left[priority]-- <= 0) {
            left[priority] = 0;
            return false;
        }
        taken[priority]++;
        return true;
    }

    /** A seed has come with a place, which is kept for it no longer, whatever becomes of the seed. */
    public void arrived(int priority) {
        if (priority < used.length) {
            used[priority]++;
        }
    }

    long[] taken() {
        return taken;
    }

    long[] used() {
        return used;
    }
}
