package io.trawl.module;

/** Turns counts into a load score: the module of a kind with the lowest score gets the next direct call (S10, S11). */
@FunctionalInterface
public interface ScoreCalculator {
    /**
     * Weighs what is being handled now most, so that a fresh module does not draw all calls until its lifetime counts catch up.
     */
    ScoreCalculator HANDLING_FIRST = counts -> 16 * counts.handling() + Math.min(15, counts.called() / 1_000_000);

    /** The score: not negative, lower is less loaded. */
    long score(Counts counts);
}
