package io.trawl.bench.fleet;

import java.time.Duration;

/**
 * What a process has used.
 *
 * @param cpu user and system time of all its threads
 * @param peakMemory the most bytes that were resident at a time
 */
public record Usage(Duration cpu, long peakMemory) {
    /** Nothing. */
    public static final Usage NONE = new Usage(Duration.ZERO, 0);

    /** What was used since an earlier moment; the peak is that of the whole life. */
    public Usage since(Usage earlier) {
        return new Usage(cpu.minus(earlier.cpu), peakMemory);
    }

    /** Of two processes. */
    public Usage and(Usage other) {
        return new Usage(cpu.plus(other.cpu), peakMemory + other.peakMemory);
    }
}
