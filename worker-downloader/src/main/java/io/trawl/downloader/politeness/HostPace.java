package io.trawl.downloader.politeness;

import java.time.Duration;
import java.util.Optional;

/**
 * What one host has been asked lately, and how long it wants to be left alone. Times are nanoseconds from an origin of the caller's choice, never
 * negative. Not thread-safe: it belongs to the frontier's thread.
 */
public final class HostPace {
    private static final long NEVER = -1;
    private static final int NOWHERE = -1;
    private long lastStart = NEVER;
    private long lastEnd = NEVER;
    private long lastTook;
    private long closedUntil;
    private Optional<Wish> lastWish = Optional.empty();
    private int partition = NOWHERE;

    /**
     * An exchange of any kind (robots.txt included) begins.
     *
     * @param wish that was heeded before it
     * @param of the partition whose request it is for
     */
    public void began(long now, Wish wish, int of) {
        lastStart = now;
        lastWish = Optional.of(wish);
        partition = of;
    }

    /** An exchange of any kind (robots.txt included) is over. */
    public void ended(long now, long took) {
        lastEnd = now;
        lastTook = Math.max(0, took);
    }

    /** The host is closed to every request for that long: {@code Retry-After}, or back-off after an error. A shorter pause never ends a longer one. */
    public void close(long now, Duration pause) {
        closedUntil = Math.max(closedUntil, Politeness.after(now, Politeness.nanos(pause)));
    }

    /** When a request with this wish may be sent; may lie in the past. */
    public long mayStart(Wish wish, Politeness politeness) {
        long last = politeness.perHost() == 1 ? lastEnd : lastStart;
        if (last == NEVER) {
            return closedUntil;
        }
        return Math.max(closedUntil, Politeness.after(last, politeness.pause(wish, lastTook)));
    }

    /** How long a request with this wish would have to wait after the exchange that is under way, as far as one can tell before its end. */
    public long expected(Wish wish, Politeness politeness) {
        return politeness.pause(wish, lastTook);
    }

    /** Until when it is closed to every request; may lie in the past. */
    public long closedUntil() {
        return closedUntil;
    }

    /** Until when it must be left alone, as far as one can tell without knowing what comes next: by the wish before the last exchange. */
    public long openAt(Politeness politeness) {
        return lastWish.map(wish -> mayStart(wish, politeness)).orElse(closedUntil);
    }

    /** Whether the last exchange was for a request of this partition. */
    public boolean of(int partition) {
        return this.partition == partition;
    }

    /** When nothing here matters any more, for requests whose wishes are at most {@code longest} nanoseconds. */
    public long forgettableAt(long longest) {
        return lastEnd == NEVER ? closedUntil : Math.max(closedUntil, Politeness.after(lastEnd, longest));
    }
}
