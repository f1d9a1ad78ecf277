package io.trawl.coordinator.summary;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * The work of the last ten minutes in steps of two seconds, or of the last day by minutes. It uses the timestamps of
 * the ledger's records, not the time of reading, so that all coordinators report the same, even one that has just
 * started and reads old records. Holds only steps with work. Not thread-safe.
 */
public final class Activity {
    /** The length of a step. */
    public static final Duration STEP = Duration.ofSeconds(2);
    /** The period that is kept. */
    public static final Duration REACH = Duration.ofMinutes(10);
    /** The length of a long step. */
    public static final Duration LONG_STEP = Duration.ofMinutes(1);
    /** The period that is kept in long steps. */
    public static final Duration LONG_REACH = Duration.ofDays(1);
    private final TreeMap<Long, Work> bySteps = new TreeMap<>();
    private final long stepMillis;
    private final long steps;

    /** The last ten minutes. */
    Activity() {
        this(STEP, REACH);
    }

    /** The last period of this length, in steps of that length. */
    Activity(Duration step, Duration reach) {
        this.stepMillis = step.toMillis();
        this.steps = reach.dividedBy(step);
    }

    /**
     * The work in a period.
     *
     * @param emitted requests that were emitted
     * @param answered requests that were answered, with any outcome
     * @param pages stored pages, and those that are unchanged
     * @param errors stored HTTP errors and failures
     * @param bytes of the processed bodies
     * @param settled items that pipelines handled for good
     */
    public record Work(long emitted, long answered, long pages, long errors, long bytes, long settled) {
        /** No work. */
        public static final Work NONE = new Work(0, 0, 0, 0, 0, 0);

        /** The difference between two totals of a run. */
        static Work between(Totals before, Totals after) {
            return new Work(after.emitted() - before.emitted(), after.answered() - before.answered(),
                    after.found() - before.found(), after.errors() - before.errors(), after.bytes() - before.bytes(),
                    after.items().settled() - before.items().settled());
        }

        /** The sum of both. */
        public Work plus(Work other) {
            return new Work(emitted + other.emitted, answered + other.answered, pages + other.pages,
                    errors + other.errors, bytes + other.bytes, settled + other.settled);
        }
    }

    /** The work by the number of its step. */
    Map<Long, Work> bySteps() {
        return Map.copyOf(bySteps);
    }

    /** Takes over what {@link #bySteps} has told. */
    Activity with(Map<Long, Work> work) {
        bySteps.putAll(work);
        return this;
    }

    /** Adds work that was done at a moment; ignored if it is older than the period. */
    void add(Work work, Instant at, Instant now) {
        // The clocks of other processes may be slightly ahead.
        long step = Math.min(number(at), number(now));
        forget(now);
        if (step > number(now) - steps) {
            bySteps.merge(step, work, Work::plus);
        }
    }

    /** Drops what is older than the period. */
    void forget(Instant now) {
        bySteps.headMap(number(now) - steps, true).clear();
    }

    /** The work since a moment, up to now. */
    Work since(Instant begin, Instant now) {
        forget(now);
        return bySteps.tailMap(number(begin), true).values().stream().reduce(Work.NONE, Work::plus);
    }

    /**
     * The work of each completed step, without gaps and the oldest first; the last one ended when that of {@code now}
     * began.
     */
    List<Work> steps(Instant now) {
        return steps(now, steps);
    }

    /** The last of these steps. @param most how many */
    List<Work> steps(Instant now, long most) {
        forget(now);
        long end = number(now);
        return LongStream.range(end - Math.min(most, steps), end)
                .mapToObj(step -> bySteps.getOrDefault(step, Work.NONE)).toList();
    }

    private long number(Instant at) {
        return Math.floorDiv(at.toEpochMilli(), stepMillis);
    }

    /** The number of the step that contains a moment. */
    public static long step(Instant at) {
        return Math.floorDiv(at.toEpochMilli(), STEP.toMillis());
    }

    /** The start of a step. */
    public static Instant begin(long step) {
        return Instant.ofEpochMilli(step * STEP.toMillis());
    }
}
