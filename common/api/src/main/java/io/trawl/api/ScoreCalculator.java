package io.trawl.api;

/**
 * Turns counts into a load score: the module of a kind with the lowest score gets the next direct call. The jar of a
 * calculator names its class in {@code META-INF/services/io.trawl.api.ScoreCalculator}; the class has a public
 * constructor without arguments and must be thread-safe.
 */
@FunctionalInterface
public interface ScoreCalculator {
    /**
     * The default. Work in flight weighs most, so that a new module does not attract all calls until its lifetime
     * counts catch up.
     */
    ScoreCalculator HANDLING_FIRST = counts -> 16 * counts.handling() + Math.min(15, counts.called() / 1_000_000);

    /**
     * Scores a module.
     *
     * @param counts of the module
     * @return not negative; lower is less loaded
     */
    long score(Counts counts);
}
