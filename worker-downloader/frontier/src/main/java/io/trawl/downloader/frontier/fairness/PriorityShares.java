package io.trawl.downloader.frontier.fairness;

import io.trawl.model.InvalidValueException;
import io.trawl.settings.SettingsReader;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;

/**
 * How turns are divided among priorities. Strict: the largest priority with ready requests takes every turn. With
 * shares: priorities with ready requests get turns in proportion to their shares, and the others leave their turns to
 * them. Immutable.
 */
public final class PriorityShares {
    private static final String SETTING = SettingsReader.variable("trawl.downloader.shares");
    private final long[] weights;
    private final WeightedRoundRobin strict = new WeightedRoundRobin(this);

    private PriorityShares(long[] weights) {
        this.weights = weights;
    }

    /**
     * The shares that a user has configured.
     *
     * @param shares positive, that of the highest priority first; empty for strict priorities
     * @throws InvalidValueException if their number is not that of the levels
     */
    public static PriorityShares of(List<Integer> shares, int levels) {
        if (!shares.isEmpty() && shares.size() != levels) {
            throw new InvalidValueException(SETTING,
                    shares.stream().map(String::valueOf).collect(Collectors.joining(",")), "one number for each of the "
                            + levels + " priorities that this deployment's topics were created with");
        }
        return new PriorityShares(shares.reversed().stream().mapToLong(Integer::longValue).toArray());
    }

    public boolean isStrict() { return weights.length == 0; }

    /** A new round robin with these shares. Strict priorities need no state, so all callers share one. */
    public WeightedRoundRobin roundRobin() {
        return isStrict() ? strict : new WeightedRoundRobin(this);
    }

    int levels() {
        return weights.length;
    }

    long weight(int level) {
        return weights[level];
    }

    /** The sum of the weights of these priorities. */
    long weight(PrioritySet among) {
        long sum = 0;
        for (int level = 0; level < weights.length; level++) {
            sum += among.has(level) ? weights[level] : 0;
        }
        return sum;
    }

    /**
     * The priority that has least in proportion to its share; among equals the largest. Strict: the largest.
     *
     * @param among not empty
     * @param has how much each priority has
     */
    public int scarcest(PrioritySet among, IntToLongFunction has) {
        int scarcest = among.highest();
        for (int level = scarcest - 1; level >= 0 && !isStrict(); level--) {
            if (among.has(level)
                    && has.applyAsLong(level) * weights[scarcest] < has.applyAsLong(scarcest) * weights[level]) {
                scarcest = level;
            }
        }
        return scarcest;
    }

    /** The priority that has most in proportion to its share; among equals the smallest. Strict: the smallest. */
    public int plentiest(PrioritySet among, IntToLongFunction has) {
        int plentiest = among.lowest();
        for (int level = plentiest + 1; level < weights.length; level++) {
            if (among.has(level)
                    && has.applyAsLong(level) * weights[plentiest] > has.applyAsLong(plentiest) * weights[level]) {
                plentiest = level;
            }
        }
        return plentiest;
    }

    @Override
    public String toString() {
        return isStrict() ? "strict" : Arrays.toString(weights);
    }
}
