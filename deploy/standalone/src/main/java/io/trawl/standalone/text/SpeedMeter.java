package io.trawl.standalone.text;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** The speed of a growing number over the last ten seconds. Not thread-safe. */
final class SpeedMeter {
    private static final long WINDOW = Duration.ofSeconds(10).toNanos();
    private final Deque<Sample> samples = new ArrayDeque<>();

    private record Sample(long nanos, long value) {}

    /** Notes the number at a moment. */
    void note(long nanos, long value) {
        samples.addLast(new Sample(nanos, value));
        while (samples.size() > 2 && nanos - samples.getFirst().nanos() > WINDOW) {
            samples.removeFirst();
        }
    }

    /** Per second; 0 until there are two moments. */
    double perSecond() {
        if (samples.size() < 2) {
            return 0;
        }
        double seconds = (samples.getLast().nanos() - samples.getFirst().nanos()) / 1e9;
        return seconds <= 0 ? 0 : (samples.getLast().value() - samples.getFirst().value()) / seconds;
    }
}
