package io.trawl.coordinator.summary;

import io.trawl.coordinator.summary.Activity.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The work of the last ten minutes, for charts.
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
     *        empty if it was not read
     */
    public record Point(Instant at, double pages, double errors, double bytes, double requests, Map<String, Long> backlog) {}

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
            points.add(new Point(end, rate(work.pages()), rate(work.errors()), rate(work.bytes()), rate(work.answered()),
                    backlogs.apply(end)));
        }
        return new History(Activity.STEP.toMillis(), points);
    }

    private static double rate(long count) {
        return count * (double) Duration.ofSeconds(1).toMillis() / Activity.STEP.toMillis();
    }
}
