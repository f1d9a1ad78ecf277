package io.trawl.downloader.frontier.fairness;

import io.trawl.downloader.frontier.fairness.SlotShares.SlotStage;

/**
 * The shares of slot time among hosts. One that holds its slots for long leaves a slot free for each of the
 * {@link SlotTime quicker} ones of its priority or above that is about to ask, and for so many of those that pause as
 * are likely to ask at the same time: if these use {@code n} slots on average, {@code n + 2√n + 1}, since a Poisson
 * distribution seldom has more than two standard deviations above its mean. So quick hosts come first, and slow ones
 * share what is left; but a {@value #FLOOR}th of the slots is theirs in any case, and one at least. If priorities are
 * strict, no host takes a slot that is kept free so while a host of a higher priority waits for one. Belongs to the
 * frontier's thread.
 */
final class SlotTimeShares {
    static final int FLOOR = 16;
    private static final double DEVIATIONS = 2;
    private final int slots;
    private final int perHost;
    private final int levels;
    private final boolean strict;
    /** Clean hosts that may ask soon or pause, and the slots that they want, in parts of one. */
    private final ClassCounts idle;
    private final ClassCounts loads;
    /** Clean hosts that are prepared, and that wait. */
    private final ClassCounts prepared;
    private final ClassCounts limited;
    private final ClassCounts inFlight;

    SlotTimeShares(int slots, int perHost, int levels, boolean strict) {
        this.slots = slots;
        this.perHost = perHost;
        this.levels = levels;
        this.strict = strict;
        this.idle = new ClassCounts(levels);
        this.loads = new ClassCounts(levels);
        this.prepared = new ClassCounts(levels);
        this.limited = new ClassCounts(levels);
        this.inFlight = new ClassCounts(levels);
    }

    /** What clean hosts want changes. */
    void count(SlotStage stage, int priority, int slotClass, int load, int change) {
        switch (stage) {
            case LATER, TURN -> {
                idle.add(priority, slotClass, change);
                loads.add(priority, slotClass, (long) change * load);
                prepared.add(priority, slotClass, stage == SlotStage.TURN ? change : 0);
            }
            case SHARE -> limited.add(priority, slotClass, change);
            case NOTHING, LAST, BUSY -> {
            }
        }
    }

    /** The exchanges in flight change. */
    void inFlight(int priority, int slotClass, int change) {
        inFlight.add(priority, slotClass, change);
    }

    /** Whether no clean host may be asked now. */
    boolean noHostMayAsk() {
        return prepared.total() + limited.total() == 0;
    }

    /** Whether a host of this class and priority may take one of the free slots. */
    boolean admits(int slotClass, int priority, int free) {
        return hasRoom(slotClass, priority, free) && !outranked(priority, free);
    }

    /**
     * Whether quicker hosts leave a slot for one of this class, or hosts that are not quicker have less than is theirs
     * in any case.
     */
    private boolean hasRoom(int slotClass, int priority, int free) {
        int slower = slotClass - SlotTime.GAP + 1;
        long kept = kept(slower, priority);
        return kept == 0 || free > kept + prepared.sum(priority, slower, SlotTime.CLASSES)
                || Math.max(inFlight.sum(0, slower, SlotTime.CLASSES), prepared.sum(0, slower, SlotTime.CLASSES)) < Math
                        .ceilDiv(slots, FLOOR)
                || Math.max(inFlight.ofPriority(priority, slower, SlotTime.CLASSES),
                        prepared.ofPriority(priority, slower, SlotTime.CLASSES)) < Math.ceilDiv(slots, FLOOR * levels);
    }

    /** The slots for hosts of classes below one that are about to ask, or may be before a slot is free again. */
    private long kept(int belowClass, int priority) {
        long hosts = perHost * idle.sum(priority, 0, belowClass);
        if (hosts == 0) {
            return 0;
        }
        double mean = (double) loads.sum(priority, 0, belowClass) * perHost / SlotTime.WHOLE;
        return Math.min(hosts, (long) Math.ceil(mean + DEVIATIONS * Math.sqrt(mean)) + 1);
    }

    /**
     * Whether a host of a higher priority waits for a slot that quicker hosts may need: no host of a lower one takes
     * that.
     */
    private boolean outranked(int priority, int free) {
        if (strict && limited.sum(priority + 1, 0, SlotTime.CLASSES) > 0) {
            for (int level = priority + 1; level < levels; level++) {
                for (int slotClass = 0; slotClass < SlotTime.CLASSES; slotClass++) {
                    if (limited.ofPriority(level, slotClass, slotClass + 1) > 0 && !hasRoom(slotClass, level, free)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }
}
