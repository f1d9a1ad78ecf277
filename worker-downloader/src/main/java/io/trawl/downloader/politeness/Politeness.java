package io.trawl.downloader.politeness;

import java.time.Duration;
import java.util.Optional;

/**
 * How long to leave a host alone: after the end of its last exchange; with several at a time, after the beginning of the last. Immutable.
 *
 * @param adaptiveFactor the pause is at least this multiple of the last response time; 0 turns it off
 * @param longestPause the longest crawl-delay that is waited for
 * @param perHost exchanges that a host may have in flight
 */
public record Politeness(double adaptiveFactor, Duration longestPause, int perHost) {
    /** One exchange at a time. */
    public Politeness(double adaptiveFactor, Duration longestPause) {
        this(adaptiveFactor, longestPause, 1);
    }

    /**
     * The pause from the last exchange to the next request, in nanoseconds, never negative: the largest of what is wished for. A crawl-delay
     * holds for a crawl without any delay, too; an absurdly long one is cut to {@code longestPause}.
     *
     * @param took how long the last exchange took, in nanoseconds
     */
    public long pause(Wish wish, long took) {
        long delay = nanos(wish.delay());
        if (delay > 0) {
            delay = Math.max(delay, (long) (adaptiveFactor * took));
        }
        long robots = Math.min(nanos(wish.crawlDelay()), nanos(longestPause));
        return Math.max(delay, Math.max(robots, nanos(wish.waitTime())));
    }

    /** That much later than a time, which may be negative; never wraps around. */
    public static long after(long time, long pause) {
        long sum = time + pause;
        return pause > 0 && sum < time ? Long.MAX_VALUE : sum;
    }

    private static long nanos(Optional<Duration> duration) {
        return duration.map(Politeness::nanos).orElse(0L);
    }

    /** The duration in nanoseconds; one that does not fit (292 years) is the longest that does, one below zero is zero. */
    public static long nanos(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.getSeconds() >= Long.MAX_VALUE / 1_000_000_000L ? Long.MAX_VALUE : duration.toNanos();
    }
}
