package io.trawl.bench.run;

import java.util.Arrays;
import java.util.Collection;

/** A sorted set of times or other numbers. Quantiles are nearest ranks, so each is one of the numbers. Immutable. */
public final class Quantiles {
    private final long[] sorted;

    /** @param values at least one; copied */
    public Quantiles(long[] values) {
        sorted = values.clone();
        Arrays.sort(sorted);
    }

    /**
     * The smallest value such that at least this fraction of all values does not exceed it; {@code at(0.5)} is the
     * median, {@code at(1)} the maximum.
     */
    public long at(double part) {
        return sorted[Math.clamp((long) Math.ceil(part * sorted.length) - 1, 0, sorted.length - 1)];
    }

    /** The number of values. */
    public int size() {
        return sorted.length;
    }

    /** The median; for an even number of measurements the lower of the middle two. */
    public static double median(Collection<Double> values) {
        return values.stream().sorted().toList().get((values.size() - 1) / 2);
    }
}
