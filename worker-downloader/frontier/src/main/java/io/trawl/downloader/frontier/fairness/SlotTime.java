package io.trawl.downloader.frontier.fairness;

/**
 * How long an exchange with a host holds its slot, as far as its pages have shown: an exponentially weighted moving
 * average, in which the last page counts a quarter. Hosts are told apart by classes, each of twice the time of the one
 * before. Immutable.
 *
 * @param nanos the average, in nanoseconds
 */
public record SlotTime(long nanos) {
    /**
     * Of a host of which no page has been asked for: slower than most, and quicker than those that are known to be
     * slow.
     */
    public static final SlotTime UNKNOWN = new SlotTime(3_000_000_000L);
    /** A host is slower than others if their class is this far below its own: it takes more than twice as long. */
    static final int GAP = 2;
    /** The number of classes: up to a millisecond, and up to more than a minute. */
    static final int CLASSES = 18;
    /** A load of one slot. */
    public static final int WHOLE = 1024;
    private static final int SHARE = 4;
    private static final long MILLI = 1_000_000;

    /** The average after an exchange for a page, also one that failed. */
    public SlotTime page(long took) {
        return equals(UNKNOWN) ? new SlotTime(took) : new SlotTime(nanos + (took - nanos) / SHARE);
    }

    /**
     * The average after an exchange for robots.txt, which may show that the host is slow, but not that its pages are
     * quick.
     */
    public SlotTime robots(long took) {
        return took > nanos ? page(took) : this;
    }

    /**
     * The class.
     *
     * @param age of an exchange in flight, which counts as soon as it exceeds the average; 0 if there is none
     */
    public int slotClass(long age) {
        return Math.min(CLASSES - 1, Long.SIZE - Long.numberOfLeadingZeros(Math.max(nanos, age) / MILLI));
    }

    /**
     * How many slots the host would use on average if it always had requests and never waited for a slot, in parts of
     * {@value #WHOLE}.
     *
     * @param pause from the end of an exchange to the beginning of the next, in nanoseconds
     */
    public int load(long pause) {
        return (int) (WHOLE * (double) Math.max(nanos, 1) / ((double) Math.max(nanos, 1) + pause));
    }
}
