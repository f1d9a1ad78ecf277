package io.trawl.coordinator.lifecycle;

/**
 * A priority has no room for what was submitted (S1); nothing of it was taken over. Its message is meant to be shown as it is: it names the level, what it
 * takes, what it has room for and what was asked for.
 */
public final class ChannelFull extends RuntimeException {
    private final long wanted;

    /** @param free for how many there is room */
    public ChannelFull(int level, long capacity, long free, long wanted) {
        super("CHANNEL_FULL: priority " + level + " takes " + capacity + " waiting requests and has room for " + free
                + ", not for "
                + wanted + ": nothing was taken over, try again later");
        this.wanted = wanted;
    }

    /** How many places were asked for at that level. */
    public long wanted() {
        return wanted;
    }
}
