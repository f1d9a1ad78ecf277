package io.trawl.coordinator.summary;

import io.trawl.coordinator.summary.Activity.Work;
/**
 * Average work per second over the last minute and the last five minutes, or over the time since the last start if that
 * is shorter.
 *
 * @param pages1m stored pages, and those that are unchanged
 * @param pages5m the same over five minutes
 * @param errors1m stored HTTP errors and failures
 * @param errors5m the same over five minutes
 * @param bytes1m of the processed bodies
 * @param bytes5m the same over five minutes
 * @param requests1m answered requests
 * @param requests5m the same over five minutes
 */
public record Rates(double pages1m, double pages5m, double errors1m, double errors5m, double bytes1m, double bytes5m,
        double requests1m, double requests5m) {
    /** No work. */
    public static final Rates NONE = new Rates(0, 0, 0, 0, 0, 0, 0, 0);

    /** Replaces rates that a coordinator of another version does not report. */
    public static final Rates UNKNOWN = new Rates(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN,
            Double.NaN, Double.NaN, Double.NaN);

    /** The rates of two windows. */
    static Rates of(Work minute, double minuteSeconds, Work five, double fiveSeconds) {
        return new Rates(rate(minute.pages(), minuteSeconds), rate(five.pages(), fiveSeconds),
                rate(minute.errors(), minuteSeconds), rate(five.errors(), fiveSeconds),
                rate(minute.bytes(), minuteSeconds), rate(five.bytes(), fiveSeconds),
                rate(minute.answered(), minuteSeconds), rate(five.answered(), fiveSeconds));
    }

    /** The sum of both. */
    public Rates plus(Rates o) {
        return new Rates(round(pages1m + o.pages1m), round(pages5m + o.pages5m), round(errors1m + o.errors1m),
                round(errors5m + o.errors5m), round(bytes1m + o.bytes1m), round(bytes5m + o.bytes5m),
                round(requests1m + o.requests1m), round(requests5m + o.requests5m));
    }

    private static double rate(long count, double seconds) {
        return round(count / seconds);
    }

    private static double round(double rate) {
        return Math.round(rate * 1000) / 1000.0;
    }
}
