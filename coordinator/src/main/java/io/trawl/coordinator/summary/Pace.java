package io.trawl.coordinator.summary;

import io.trawl.coordinator.summary.Activity.Work;
import java.time.Duration;
import java.time.Instant;

/**
 * The speed of a run.
 *
 * @param rates over one and five minutes
 * @param gained by how many requests per second the waiting requests decrease, over the last minute; not positive while
 * they grow
 * @param settled items per second that pipelines handled for good, over ten minutes, since they commit whole files
 * @param over the time that the last minute covers: less than a minute shortly after the start
 */
public record Pace(Rates rates, double gained, double settled, Duration over) {
    /** No progress. */
    public static final Pace NONE = new Pace(Rates.NONE, 0, 0, Duration.ZERO);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration FIVE = Duration.ofMinutes(5);

    /** @param since the last start of the run */
    static Pace of(Activity activity, Instant since, Instant now) {
        Instant minute = begin(MINUTE, since, now);
        Instant five = begin(FIVE, since, now);
        Work lately = activity.since(minute, now);
        Rates rates = Rates.of(lately, seconds(minute, now), activity.since(five, now), seconds(five, now));
        Instant all = begin(Activity.REACH, since, now);
        return new Pace(rates, (lately.answered() - lately.emitted()) / seconds(minute, now),
                activity.since(all, now).settled() / seconds(all, now), Duration.between(minute, now));
    }

    /** The window begins at the start of a step, so that only whole steps are counted. */
    private static Instant begin(Duration window, Instant since, Instant now) {
        Instant begin = Activity.begin(Activity.step(now.minus(window)) + 1);
        return since.isAfter(begin) && since.isBefore(now) ? since : begin;
    }

    private static double seconds(Instant begin, Instant now) {
        return Math.max(Activity.STEP.toMillis(), Duration.between(begin, now).toMillis()) / 1000.0;
    }
}
