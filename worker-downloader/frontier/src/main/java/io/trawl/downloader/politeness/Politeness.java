package io.trawl.downloader.politeness;

import java.time.Duration;
import java.util.Optional;

/**
 * How long to leave a host alone, measured from the end of its last exchange, or from its start if the host may have
 * several exchanges in flight. Immutable.
 *
 * @param adaptiveFactor the pause is at least this multiple of the last response time; 0 disables this
 * @param longestPause the longest crawl-delay that is respected
 * @param perHost the number of exchanges that a host may have in flight
 */
public record Politeness(double adaptiveFactor, Duration longestPause, int perHost) {
    /** One exchange at a time. */
    public Politeness(double adaptiveFactor, Duration longestPause) {
        this(adaptiveFactor, longestPause, 1);
    }

    /**
     * The pause between the last exchange and the next request, in nanoseconds, never negative: the largest of the
     * requested delays. A crawl-delay also holds for a crawl without any delay; a longer one than {@code longestPause}
     * is capped to it.
     *
     * @param took how long the last exchange took, in nanoseconds
     */
    public long pause(RequestedDelays requestedDelays, long took) {
        long delay = nanos(requestedDelays.delay());
        if (delay > 0) {
            delay = Math.max(delay, (long) (adaptiveFactor * took));
        }
        long robots = Math.min(nanos(requestedDelays.crawlDelay()), nanos(longestPause));
        return Math.max(delay, Math.max(robots, nanos(requestedDelays.waitTime())));
    }

    /** The sum of a time, which may be negative, and a pause; never overflows. */
    public static long after(long time, long pause) {
        long sum = time + pause;
        return pause > 0 && sum < time ? Long.MAX_VALUE : sum;
    }

    private static long nanos(Optional<Duration> duration) {
        return duration.map(Politeness::nanos).orElse(0L);
    }

    /** The duration in nanoseconds; one that does not fit (292 years) is capped, a negative one is zero. */
    public static long nanos(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.getSeconds() >= Long.MAX_VALUE / 1_000_000_000L ? Long.MAX_VALUE : duration.toNanos();
    }

    /**
     * The delays that apply before one request.
     *
     * @param delay the crawl's; {@code 0ms} means no pause and no multiple of the response time
     * @param crawlDelay that of the host's robots.txt, not capped
     * @param waitTime that of the request itself
     */
    public record RequestedDelays(Duration delay, Optional<Duration> crawlDelay, Optional<Duration> waitTime) {}
}
