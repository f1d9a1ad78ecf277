package io.trawl.coordinator.api;

import io.trawl.coordinator.summary.Activity;
import io.trawl.coordinator.summary.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What was done over the last ten minutes, for charts.
 *
 * @param stepMillis from one point to the next
 * @param points without gaps, the oldest first
 */
public record History(long stepMillis, List<Point> points) {
    /**
     * What was done in one step; all but the backlog per second.
     *
     * @param at when the step ended
     * @param pages stored pages
     * @param errors stored HTTP errors and failures
     * @param bytes of the bodies that were handled
     * @param requests answered requests
     * @param backlog what stood in each channel, by its name ({@code requests.p2}, {@code responses}, {@code items}); empty if it was not seen
     */
    public record Point(Instant at, double pages, double errors, double bytes, double requests, Map<String, Long> backlog) {}

    /** @param backlogs of the step that ends at a moment */
    public static History of(Activity.Steps steps, Function<Instant, Map<String, Long>> backlogs) {
        List<Point> points = new ArrayList<>(steps.works().size());
        Instant end = steps.first();
        for (Work work : steps.works()) {
            end = end.plus(Activity.STEP);
            points.add(new Point(end, rate(work.pages()), rate(work.errors()), rate(work.bytes()), rate(work.answered()),
                    backlogs.apply(end)));
        }
        return new History(Activity.STEP.toMillis(), points);
    }

    private static double rate(long count) {
        return count * (double) Duration.ofSeconds(1).toMillis() / Activity.STEP.toMillis();
    }
}
