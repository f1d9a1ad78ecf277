package io.trawl.module;

import java.util.ServiceLoader;

/**
 * Turns counts into a load score: the module of a kind with the lowest score gets the next direct call (S10, S11). Another one is found by
 * {@link ServiceLoader}: a jar on the class path that names its class in {@code META-INF/services/io.trawl.module.ScoreCalculator} is all it takes.
 */
@FunctionalInterface
public interface ScoreCalculator {
    /**
     * Weighs what is being handled now most, so that a fresh module does not draw all calls until its lifetime counts catch up.
     */
    ScoreCalculator HANDLING_FIRST = counts -> 16 * counts.handling() + Math.min(15, counts.called() / 1_000_000);

    /** The one on the class path; without one {@link #HANDLING_FIRST}. */
    static ScoreCalculator load() {
        return ServiceLoader.load(ScoreCalculator.class).findFirst().orElse(HANDLING_FIRST);
    }

    /** The score: not negative, lower is less loaded. */
    long score(Counts counts);
}
