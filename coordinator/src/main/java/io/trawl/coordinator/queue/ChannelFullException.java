package io.trawl.coordinator.queue;

/**
 * A priority has no capacity for the submitted seeds (S1); none of them was accepted. The message names the level, its
 * capacity, the free capacity and the number of seeds, and may be shown to users.
 */
public final class ChannelFullException extends RuntimeException {
    private final long wanted;

    /** @param free the free capacity */
    public ChannelFullException(int level, long capacity, long free, long wanted) {
        super("CHANNEL_FULL: priority " + level + " has a capacity of " + capacity + " waiting requests and room for "
                + free + ", not for " + wanted + ": none was accepted, try again later");
        this.wanted = wanted;
    }

    /** The number of seeds that were submitted for that level. */
    public long wanted() {
        return wanted;
    }
}
