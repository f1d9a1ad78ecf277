package io.trawl.downloader.politeness;

import io.trawl.downloader.politeness.Politeness.RequestedDelays;
import java.time.Duration;
import java.util.Optional;

/**
 * The last exchange of one host, and how long the host must be left alone. Times are nanoseconds from an origin of the
 * caller's choice, never negative. Not thread-safe: belongs to the frontier's thread.
 */
public final class HostPace {
    private static final long NEVER = -1;
    private static final int NOWHERE = -1;
    private long lastStart = NEVER;
    private long lastEnd = NEVER;
    private long lastTook;
    private long closedUntil;
    private Optional<RequestedDelays> lastDelays = Optional.empty();
    private int partition = NOWHERE;

    /**
     * An exchange of any kind (robots.txt included) begins.
     *
     * @param requestedDelays the delays that applied before it
     * @param of the partition of its request
     */
    public void began(long now, RequestedDelays requestedDelays, int of) {
        lastStart = now;
        lastDelays = Optional.of(requestedDelays);
        partition = of;
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
        long last = politeness.perHost() == 1 ? lastEnd : lastStart;
        if (last == NEVER) {
            return closedUntil;
        }
        return Math.max(closedUntil, Politeness.after(last, politeness.pause(requestedDelays, lastTook)));
    }

    /** How long a request with these delays would wait after the exchange in flight, estimated before its end. */
    public long expected(RequestedDelays requestedDelays, Politeness politeness) {
        return politeness.pause(requestedDelays, lastTook);
    }

    /** Until when it is closed to every request; may be in the past. */
    public long closedUntil() {
        return closedUntil;
    }

    /** Until when it must be left alone, estimated with the delays before the last exchange. */
    public long openAt(Politeness politeness) {
        return lastDelays.map(requestedDelays -> mayStart(requestedDelays, politeness)).orElse(closedUntil);
    }

    /** Whether the last exchange was for a request of this partition. */
    public boolean of(int partition) {
        return this.partition == partition;
    }

    /** When this state can be forgotten, for requests whose delays are at most {@code longest} nanoseconds. */
    public long forgettableAt(long longest) {
        return lastEnd == NEVER ? closedUntil : Math.max(closedUntil, Politeness.after(lastEnd, longest));
    }
}
