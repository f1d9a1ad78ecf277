package io.trawl.downloader.politeness;

import io.trawl.downloader.politeness.Politeness.RequestedDelays;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The last exchange of one host, and how long the host must be left alone. Times are nanoseconds from an origin of the
 * caller's choice, never negative. Not thread-safe: belongs to the frontier's thread.
 */
public final class HostPace {
    private static final long NEVER = -1;
    private @Nullable Beginning last;
    private @Nullable Beginning before;
    private long lastEnd = NEVER;
    private long lastTook;
    private long closedUntil;

    private record Beginning(long at, RequestedDelays requestedDelays, int partition) {}

    /**
     * An exchange of any kind (robots.txt included) begins, or may begin: whether a look-up of robots.txt sends a
     * request is known at its end.
     *
     * @param requestedDelays the delays that applied before it
     * @param of the partition of its request
     */
    public void began(long now, RequestedDelays requestedDelays, int of) {
        before = last;
        last = new Beginning(now, requestedDelays, of);
    }

    /**
     * What began then is over, and has sent nothing to the host: it does not count. If another has begun since, the
     * time of that counts anyway.
     */
    public void sentNothing(long began) {
        if (last != null && last.at() == began) {
            last = before;
        }
    }

    /** The exchange that began then has shown which delays apply after it. */
    public void learnt(long began, RequestedDelays requestedDelays) {
        if (last != null && last.at() == began) {
            last = new Beginning(began, requestedDelays, last.partition());
        }
    }

    /** An exchange of any kind (robots.txt included) is over. */
    public void ended(long now, long took) {
        lastEnd = now;
        lastTook = Math.max(0, took);
    }

    /**
     * Closes the host to every request for this long: {@code Retry-After}, or back-off after an error. A shorter pause
     * never ends a longer one.
     */
    public void close(long now, Duration pause) {
        closedUntil = Math.max(closedUntil, Politeness.after(now, Politeness.nanos(pause)));
    }

    /** When a request with these delays may be sent; may be in the past. */
    public long mayStart(RequestedDelays requestedDelays, Politeness politeness) {
        long from = politeness.perHost() == 1 ? lastEnd : lastStart();
        if (from == NEVER) {
            return closedUntil;
        }
        return Math.max(closedUntil, Politeness.after(from, politeness.pause(requestedDelays, lastTook)));
    }

    private long lastStart() {
        return last == null ? NEVER : last.at();
    }

    /** How long a request with these delays would wait after the exchange in flight, estimated before its end. */
    public long expected(RequestedDelays requestedDelays, Politeness politeness) {
        return politeness.pause(requestedDelays, lastTook);
    }

    /** Until when it is closed to every request; may be in the past. */
    public long closedUntil() {
        return closedUntil;
    }

    /** Until when it must be left alone, estimated with the delays that are known from the last exchange. */
    public long openAt(Politeness politeness) {
        return last == null ? closedUntil : mayStart(last.requestedDelays(), politeness);
    }

    /**
     * How long it is left alone before a request at that time, from the end of the last exchange on; 0 before its
     * first.
     */
    public long restBefore(long start) {
        return lastEnd == NEVER ? 0 : Math.max(0, start - lastEnd);
    }

    /** How long ago the last exchange began; 0 before the first. */
    public long age(long now) {
        return last == null ? 0 : now - last.at();
    }

    /** Whether the last exchange was for a request of this partition. */
    public boolean of(int partition) {
        return last != null && last.partition() == partition;
    }

    /** When this state can be forgotten, for requests whose delays are at most {@code longest} nanoseconds. */
    public long forgettableAt(long longest) {
        return lastEnd == NEVER ? closedUntil : Math.max(closedUntil, Politeness.after(lastEnd, longest));
    }
}
