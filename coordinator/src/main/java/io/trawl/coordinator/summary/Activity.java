package io.trawl.coordinator.summary;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * What was done lately, in steps of two seconds. It goes by the times of the ledger's records, not by when they were read, so that every coordinator tells
 * the same, also one that has just started and reads what happened before. Holds only steps in which something was done. Not thread-safe.
 */
public final class Activity {
    /** The length of a step. */
    public static final Duration STEP = Duration.ofSeconds(2);
    /** How far it goes back. */
    public static final Duration REACH = Duration.ofMinutes(10);
    private static final long STEPS = REACH.dividedBy(STEP);
    private final TreeMap<Long, Work> bySteps = new TreeMap<>();

    /**
     * What was done in each step, without gaps.
     *
     * @param first the beginning of the first step
     * @param works one for each step; the last step is over
     */
    public record Steps(Instant first, List<Work> works) {}

    /** Notes what was done at a moment; what is too long ago is left out. */
    void add(Work work, Instant at, Instant now) {
        // The clocks of those who write may be a little ahead.
        long step = Math.min(step(at), step(now));
        forget(now);
        if (step > step(now) - STEPS) {
            bySteps.merge(step, work, Work::plus);
        }
    }

    private void forget(Instant now) {
        bySteps.headMap(step(now) - STEPS, true).clear();
    }

    /** What was done in the last part of the window, up to now. */
    Work since(Instant begin, Instant now) {
        forget(now);
        return bySteps.tailMap(step(begin), true).values().stream().reduce(Work.NONE, Work::plus);
    }

    /** All steps that are over. */
    Steps steps(Instant now) {
        forget(now);
        long first = step(now) - STEPS;
        List<Work> works = new ArrayList<>();
        for (long step = first; step < first + STEPS; step++) {
            works.add(bySteps.getOrDefault(step, Work.NONE));
        }
        return new Steps(begin(first), works);
    }

    /** The number of the step in which a moment lies. */
    public static long step(Instant at) {
        return Math.floorDiv(at.toEpochMilli(), STEP.toMillis());
    }

    /** When a step begins. */
    public static Instant begin(long step) {
        return Instant.ofEpochMilli(step * STEP.toMillis());
    }
}
