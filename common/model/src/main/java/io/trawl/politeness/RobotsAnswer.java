package io.trawl.politeness;

import io.trawl.model.Body;
import io.trawl.model.Outcome;
import java.time.Duration;
import java.util.Optional;

/** The result of fetching a site's robots.txt. */
public sealed interface RobotsAnswer {
    /**
     * The site has a file.
     *
     * @param contentType as the site declared it
     * @param truncated whether the file was longer than {@link #LIMIT}
     * @param body at most {@link #LIMIT} bytes
     */
    record File(String contentType, boolean truncated, Body body) implements RobotsAnswer {}

    /**
     * The file is unavailable (RFC 9309 section 2.3.1.3), usually because it does not exist: everything may be fetched.
     */
    record None() implements RobotsAnswer {}

    /**
     * The file is unreachable (RFC 9309 section 2.3.1.4): nothing may be fetched.
     *
     * @param outcome the outcome of the fetch
     * @param retryAfter the server's {@code Retry-After}
     */
    record Unreachable(Outcome outcome, Optional<Duration> retryAfter) implements RobotsAnswer {}

    /** The most bytes that are read of a file; RFC 9309 section 2.5 requires at least 500 KiB. */
    int LIMIT = 1024 * 1024;
}
