package io.trawl.testkit;

import java.util.OptionalLong;

/** One request that a {@link FakeWeb} received. Thread-safe. */
public final class SeenRequest {
    private static final long IN_FLIGHT = Long.MIN_VALUE;
    private final String host;
    private final String path;
    private final String userAgent;
    private final long arrived;
    private volatile long ended = IN_FLIGHT;

    SeenRequest(String host, String path, String userAgent, long arrived) {
        this.host = host;
        this.path = path;
        this.userAgent = userAgent;
        this.arrived = arrived;
    }

    void end(long nanos) {
        ended = nanos;
    }

    /** The server's {@code address:port}. */
    public String host() {
        return host;
    }

    /** Path and query as received. */
    public String path() {
        return path;
    }

    /** The requested absolute URL. */
    public String url() {
        return "http://" + host + path;
    }

    /** The {@code User-Agent} header, or an empty text. */
    public String userAgent() {
        return userAgent;
    }

    /** The time at which the request was read, in nanoseconds of {@code Time.system().nanos()}. */
    public long arrived() {
        return arrived;
    }

    /**
     * The time just before the last bytes of the response were written, on the same clock, or of the end of a response
     * without a body; empty while the request is in flight.
     */
    public OptionalLong ended() {
        long nanos = ended;
        return nanos == IN_FLIGHT ? OptionalLong.empty() : OptionalLong.of(nanos);
    }

    @Override
    public String toString() {
        return url();
    }
}
