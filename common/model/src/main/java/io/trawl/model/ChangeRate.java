package io.trawl.model;

import io.trawl.model.InvalidValueException.FieldRules;
import java.time.Duration;

/**
 * How often a page changes, as an estimate from what its visits have found: changes are thought to come at random, at a
 * rate of the page's own (a Poisson process, as in Cho and Garcia-Molina, "Effective page refresh policies for web
 * crawlers", 2003). Each visit moves the logarithm of the rate towards what makes its finding likelier, the first ones
 * by more (stochastic gradient ascent of the likelihood), so a page that begins to change otherwise is followed.
 *
 * @param every seconds between two changes
 * @param evidence how many visits it is from
 */
public record ChangeRate(int every, int evidence) {
    private static final int LONGEST = (int) Duration.ofDays(3650).toSeconds();
    private static final int MOST_EVIDENCE = 20;
    private static final double STEP = 2;
    private static final double LARGEST_MOVE = 1.5;
    /**
     * A visit that comes long after a change says only that the page changes more often than it is visited. Without
     * this the estimate would stay where a visit is just worth it, and pages that change far more often would take
     * visits.
     */
    private static final double LEAST_SLOPE = 0.1;

    /** @throws InvalidValueException if a number is out of its range */
    public ChangeRate {
        FieldRules.range("rate.every", every, 1, LONGEST);
        FieldRules.range("rate.evidence", evidence, 0, MOST_EVIDENCE);
    }

    /** A guess, before any visit has compared two versions. The time is at least a second, and at most ten years. */
    public static ChangeRate guess(Duration every) {
        return new ChangeRate(seconds(every.toSeconds()), 0);
    }

    /** The estimate after a visit that has compared. @param gap the time since the visit before */
    public ChangeRate after(Duration gap, boolean changed) {
        double expected = changes(gap);
        double slope = changed ? Math.max(LEAST_SLOPE, likelier(expected)) : -expected;
        // Where many changes were expected and none came, the time between two is as long as the gap at least.
        double most = changed ? LARGEST_MOVE : Math.max(LARGEST_MOVE, Math.log(expected));
        double move = Math.clamp(STEP / (evidence + 2) * slope, -most, most);
        return new ChangeRate(seconds(Math.round(every * Math.exp(-move))), Math.min(MOST_EVIDENCE - 1, evidence) + 1);
    }

    private static double likelier(double expected) {
        return expected == 0 ? 1 : expected / Math.expm1(expected);
    }

    private static int seconds(long seconds) {
        return Math.clamp(seconds, 1, LONGEST);
    }

    /** How many changes are expected in this time. */
    private double changes(Duration time) {
        return (double) Math.max(0, time.toSeconds()) / every;
    }

    /**
     * The probability that a page has not changed since a visit: that no change falls into this time (its freshness, as
     * in the paper above). Between 0 and 1.
     *
     * @param age the time since that visit
     */
    public double fresh(Duration age) {
        return Math.exp(-changes(age));
    }

    /**
     * What a visit is worth, by the time since the last one: of visits whose worth is equal none should take the place
     * of another one (the condition of Lagrange for the largest average freshness). It grows with the age up to
     * {@link #every}, so if there is not enough for all, pages that change much faster than they can be visited are
     * left out before those whose visit lasts.
     */
    public double worth(Duration age) {
        double expected = changes(age);
        return every * (1 - Math.exp(-expected) * (1 + expected));
    }
}
