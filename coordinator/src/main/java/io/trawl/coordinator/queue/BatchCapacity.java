package io.trawl.coordinator.queue;

/**
 * The capacity that one batch of seeds may use, and has used. Created by {@link Capacity}; belongs to the leader's
 * thread.
 */
public final class BatchCapacity {
    private final long[] left;
    private final long[] taken;
    private final long[] used;

    BatchCapacity(long[] left) {
        this.left = left;
        this.taken = new long[left.length];
        this.used = new long[left.length];
    }

    /**
     * Takes capacity for a request.
     *
     * @param hasPlace whether its seed has a reserved place
     * @return false if there is no capacity: CHANNEL_FULL
     */
    public boolean take(int priority, boolean hasPlace) {
        if (!hasPlace && left[priority]-- <= 0) {
            left[priority] = 0;
            return false;
        }
        taken[priority]++;
        return true;
    }

    /** Releases the reserved place of a seed that has been read, whether or not the seed is admitted. */
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
