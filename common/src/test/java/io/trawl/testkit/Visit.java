package io.trawl.testkit;

import java.util.OptionalLong;

/** One request that a {@link FakeWeb} received. Thread-safe. */
public final class Visit {
    private static final long UNDERWAY = Long.MIN_VALUE;
    private final String host;
    private final String path;
    private final String userAgent;
    private final long arrived;
    private volatile long ended = UNDERWAY;

    Visit(String host, String path, String userAgent, long arrived) {
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

    /** Path and query as they came over the wire. */
    public String path() {
        return path;
    }

    /** The absolute URL that was asked for. */
    public String url() {
        return "http://" + host + path;
    }

    /** The {@code User-Agent} header, or an empty text. */
    public String userAgent() {
        return userAgent;
    }

    /** When the request had been read, in nanoseconds of {@code Time.system().nanos()}. */
    public long arrived() {
        return arrived;
    }

    /** When the last byte of the answer was written, on the same clock; empty while it is underway. */
    public OptionalLong ended() {
        long nanos = ended;
        return nanos == UNDERWAY ? OptionalLong.empty() : OptionalLong.of(nanos);
    }

    @Override
    public String toString() {
        return url();
    }
}
