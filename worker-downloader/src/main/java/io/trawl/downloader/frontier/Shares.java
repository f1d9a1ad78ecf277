package io.trawl.downloader.frontier;

import io.trawl.model.InvalidValue;
import io.trawl.settings.SettingsReader;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;

/**
 * How turns are divided among priorities. Strict: the largest that has something ready takes every turn. With a share for each, every priority that has
 * something ready gets turns in that proportion, and what has nothing ready leaves its turns to the others.
 * Immutable.
 */
public final class Shares {
    private static final String SETTING = SettingsReader.variable("trawl.downloader.shares");
    private final long[] weights;
    private final Dealer strict = new Dealer(this);

    private Shares(long[] weights) {
        this.weights = weights;
    }

    /** The largest priority always wins. */
    public static Shares strict() {
        return new Shares(new long[0]);
    }

    /**
     * The shares that a user wishes for.
     *
     * @param wish positive, that of the highest priority first; empty for strict priorities
     * @throws InvalidValue if there are not as many as levels
     */
    public static Shares of(List<Integer> wish, int levels) {
        if (!wish.isEmpty() && wish.size() != levels) {
            throw new InvalidValue(SETTING, wish.stream().map(String::valueOf).collect(Collectors.joining(",")),
                    "one number for each of the " + levels + " priorities that this deployment's topics were made with");
        }
        return new Shares(wish.reversed().stream().mapToLong(Integer::longValue).toArray());
    }

    boolean isStrict() { return weights.length == 0; }

    /** Deals turns from now on; strictly it has nothing to remember, so one is enough for all. */
    Dealer dealer() {
        return isStrict() ? strict : new Dealer(this);
    }

    int levels() {
        return weights.length;
    }

    long weight(int level) {
        return weights[level];
    }

    /** What the weights of these sum up to. */
    long weight(Levels among) {
        long sum = 0;
        for (int level = 0; level < weights.length; level++) {
            sum += among.has(level) ? weights[level] : 0;
        }
        return sum;
    }

    /**
     * Of these, the one that has least of what it should have; among equals the largest. Strictly the largest.
     *
     * @param among not empty
     * @param has how much each has
     */
    int scarcest(Levels among, IntToLongFunction has) {
        int scarcest = among.highest();
        for (int level = scarcest - 1; level >= 0 && !isStrict(); level--) {
            if (among.has(level) && has.applyAsLong(level) * weights[scarcest] < has.applyAsLong(scarcest) * weights[level]) {
                scarcest = level;
            }
        }
        return scarcest;
    }

    /** Of these, the one that can spare most; among equals the smallest. Strictly the smallest. */
    int plentiest(Levels among, IntToLongFunction has) {
        int plentiest = among.lowest();
        for (int level = plentiest + 1; level < weights.length; level++) {
            if (among.has(level) && has.applyAsLong(level) * weights[plentiest] > has.applyAsLong(plentiest) * weights[level]) {
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
