package io.trawl.coordinator.summary;

import java.time.temporal.ChronoUnit;
import io.trawl.coordinator.summary.Activity.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The work of the last ten minutes in steps of two seconds, or of up to a day by minutes, for charts.
 *
 * @param stepMillis the distance between two points
 * @param points without gaps, the oldest first
 */
public record History(long stepMillis, List<Point> points) {
    /**
     * The work of one step; all numbers but the backlog are per second.
     *
     * @param at the end of the step
     * @param pages stored pages
     * @param errors stored HTTP errors and failures
     * @param bytes of the processed bodies
     * @param requests answered requests
     * @param backlog the backlog of each channel, by its name ({@code requests.p2}, {@code responses}, {@code items});
     * empty if it was not read
     */
    public record Point(Instant at, double pages, double errors, double bytes, double requests,
            Map<String, Long> backlog) {}

    /**
     * The history of a deployment.
     *
     * @param steps the work of each step, up to the one of {@code now}; see {@link Tally#recent}
     * @param backlogs of the step that ends at a moment
     */
    public static History of(List<Work> steps, Instant now, Function<Instant, Map<String, Long>> backlogs) {
        List<Point> points = new ArrayList<>(steps.size());
        long next = Activity.step(now) - steps.size();
        for (Work work : steps) {
            Instant end = Activity.begin(++next);
            points.add(new Point(end, rate(work.pages()), rate(work.errors()), rate(work.bytes()),
                    rate(work.answered()), backlogs.apply(end)));
        }
        return new History(Activity.STEP.toMillis(), points);
    }

    /**
     * The history by minutes, without backlogs: the ledger does not have them.
     *
     * @param minutes the work of each minute, up to the one of {@code now}; see {@link Tally#minutes}
     */
    public static History byMinutes(List<Work> minutes, Instant now) {
        Instant end = now.truncatedTo(ChronoUnit.MINUTES).minus(Activity.LONG_STEP.multipliedBy(minutes.size()));
        List<Point> points = new ArrayList<>(minutes.size());
        for (Work work : minutes) {
            end = end.plus(Activity.LONG_STEP);
            points.add(new Point(end, rate(work.pages(), Activity.LONG_STEP), rate(work.errors(), Activity.LONG_STEP),
                    rate(work.bytes(), Activity.LONG_STEP), rate(work.answered(), Activity.LONG_STEP), Map.of()));
        }
        return new History(Activity.LONG_STEP.toMillis(), points);
    }

    private static double rate(long count) {
        return rate(count, Activity.STEP);
    }

    private static double rate(long count, Duration step) {
        return count * (double) Duration.ofSeconds(1).toMillis() / step.toMillis();
    }
}
