package io.trawl.downloader.frontier.fairness;

/** A number for each priority and {@link SlotTime#slotClass class of slot time}. Belongs to the frontier's thread. */
final class ClassCounts {
    private final long[][] counts;
    private long total;

    ClassCounts(int levels) {
        counts = new long[levels][SlotTime.CLASSES];
    }

    void add(int priority, int slotClass, long change) {
        counts[priority][slotClass] += change;
        total += change;
    }

    /** The sum of the priorities from one on, and of the classes from one on and below another. */
    long sum(int fromPriority, int fromClass, int belowClass) {
        long sum = 0;
        for (int priority = fromPriority; priority < counts.length && total != 0; priority++) {
            sum += ofPriority(priority, fromClass, belowClass);
        }
        return sum;
    }

    /** The sum of the classes of one priority from one on and below another. */
    long ofPriority(int priority, int fromClass, int belowClass) {
        long sum = 0;
        for (int slotClass = Math.max(0, fromClass); slotClass < belowClass; slotClass++) {
            sum += counts[priority][slotClass];
        }
        return sum;
    }

    long total() {
        return total;
    }
}
