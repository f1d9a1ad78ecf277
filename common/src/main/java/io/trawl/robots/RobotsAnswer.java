package io.trawl.robots;

import io.trawl.model.Body;
import io.trawl.model.Outcome;
import java.time.Duration;
import java.util.Optional;

/** What a site came to when it was asked for its robots.txt. */
public sealed interface RobotsAnswer {
    /**
     * There is a file.
     *
     * @param contentType as the site said
     * @param truncated whether it was longer than what is read of one
     * @param body at most {@link #LIMIT} bytes
     */
    record File(String contentType, boolean truncated, Body body) implements RobotsAnswer {}

    /** There is none. */
    record None() implements RobotsAnswer {}

    /**
     * It cannot be had.
     *
     * @param outcome what was met
     * @param retryAfter the wish of the server
     */
    record Unavailable(Outcome outcome, Optional<Duration> retryAfter) implements RobotsAnswer {}

    /** What is read of a file, in bytes; RFC 9309 section 2.5 asks for 500 KiB at least. */
    int LIMIT = 1024 * 1024;
}
