package io.trawl.downloader.frontier.queue;

import java.time.Duration;
import java.util.List;

/**
 * Finds the requests of one assignment that have waited for long and hold the log for few. They leave, lowest first, to
 * be copied to the end of the log: only where each copy lets many records be deleted, so that a huge host that waits is
 * not copied again and again. Belongs to the frontier's thread.
 */
public final class StragglerOffsets {
    private static final int MOST_AT_ONCE = 256;
    private long sampledAt = -1;
    private long sampled;
    /** What is below has been here for at least the age. */
    private long old;

    /**
     * Which requests are stragglers.
     *
     * @param age how long they have waited at least; zero: there are none
     * @param least fewer records that can be deleted are not worth a copy
     * @param perCopy each copy must let this many records be deleted
     */
    public record StragglerRules(Duration age, int least, int perCopy) {
        private static final int USUAL_PER_COPY = 16;

        /** Rules of a process. */
        public static StragglerRules of(Duration age, int least) {
            return new StragglerRules(age, least, USUAL_PER_COPY);
        }

        /** Whether so many records stand above the low-water mark that a straggler is looked for. */
        public boolean isHeld(OpenOffsets open) {
            return !age.isZero() && open.position() - open.lowWater() >= least;
        }
    }

    /** The offsets that must be copied now, in ascending order; they stay open until their copies are acknowledged. */
    List<Long> leave(OpenOffsets open, StragglerRules rules, long now) {
        if (!rules.isHeld(open)) {
            sampledAt = -1;
            return List.of();
        }
        if (sampledAt < 0 || now - sampledAt >= rules.age().toNanos()) {
            old = sampledAt < 0 ? 0 : sampled;
            sampled = open.position();
            sampledAt = now;
        }
        List<Long> lowest = open.from(0, MOST_AT_ONCE + 1);
        for (int copies = Math.min(lowest.size(), MOST_AT_ONCE); copies > 0; copies--) {
            long next = copies < lowest.size() ? lowest.get(copies) : open.position();
            long freed = next - lowest.getFirst();
            if (lowest.get(copies - 1) < old && freed >= rules.least() && freed >= (long) rules.perCopy() * copies) {
                return List.copyOf(lowest.subList(0, copies));
            }
        }
        return List.of();
    }
}
