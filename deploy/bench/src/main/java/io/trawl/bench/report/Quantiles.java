package io.trawl.bench.report;

import java.util.Arrays;

/** A set of times, or of any numbers, in order. The quantiles are nearest ranks: each is a number that was seen. Immutable. */
public final class Quantiles {
    private final long[] sorted;

    /** @param values at least one; copied */
    public Quantiles(long[] values) {
        sorted = values.clone();
        Arrays.sort(sorted);
    }

    /** The smallest value that at least this part of all does not exceed; {@code at(0.5)} is the median, {@code at(1)} the largest. */
    public long at(double part) {
        return sorted[Math.clamp((long) Math.ceil(part * sorted.length) - 1, 0, sorted.length - 1)];
    }

    /** How many there are. */
    public int size() {
        return sorted.length;
    }

    /** The median of an odd number of measurements, the lower of the middle two of an even one. */
    public static double median(double... values) {
        double[] ordered = values.clone();
        Arrays.sort(ordered);
        return ordered[(ordered.length - 1) / 2];
    }
}
