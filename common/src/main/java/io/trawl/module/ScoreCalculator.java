package io.trawl.module;

import io.trawl.plugin.Plugins;

/**
 * Turns counts into a load score: the module of a kind with the lowest score gets the next direct call (S10, S11). Another one comes
 * in a jar among the {@link Plugins} that names its class in {@code META-INF/services/io.trawl.module.ScoreCalculator}.
 */
@FunctionalInterface
public interface ScoreCalculator {
    /**
     * Weighs what is being handled now most, so that a fresh module does not draw all calls until its lifetime counts catch up.
     */
    ScoreCalculator HANDLING_FIRST = counts -> 16 * counts.handling() + Math.min(15, counts.called() / 1_000_000);

    /** The first that a plugin brings; without one {@link #HANDLING_FIRST}. */
    static ScoreCalculator among(Plugins plugins) {
        return plugins.of(ScoreCalculator.class).stream().findFirst().orElse(HANDLING_FIRST);
    }

    /** The score: not negative, lower is less loaded. */
    long score(Counts counts);
}
