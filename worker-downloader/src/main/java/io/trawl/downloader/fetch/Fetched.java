package io.trawl.downloader.fetch;

import io.trawl.model.Body;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What one exchange came to.
 *
 * @param outcome a page, a redirect, an HTTP error, a failure, or a refusal by the address guard; never a duplicate
 * @param headers the response headers, names in lower case, repeated values joined by {@code ", "}; empty if there was no answer
 * @param body the body, inflated; empty but for pages
 * @param took from the first byte sent to the last byte received (with name look-up and connecting); zero if nothing was sent
 * @param retryAfter the wish of the server, from {@code Retry-After} as seconds or as a date; not capped, never negative
 * @param at when the exchange was over
 * @param withdrawn whether it was never begun, or cut, because its {@link Clearance} had ended: it says nothing about the URL
 */
public record Fetched(Outcome outcome, Map<String, String> headers, Body body, Duration took, Optional<Duration> retryAfter,
        Instant at, boolean withdrawn) {
    /** Copies the headers. */
    public Fetched {
        headers = Map.copyOf(headers);
    }

    /** An exchange that came to an end of its own. */
    public Fetched(Outcome outcome, Map<String, String> headers, Body body, Duration took, Optional<Duration> retryAfter,
            Instant at) {
        this(outcome, headers, body, took, retryAfter, at, false);
    }

    /** An exchange that was never begun, or cut: somebody else may have the host now. */
    public static Fetched withdrawn(Duration took, Instant at) {
        Outcome outcome = new Outcome.Failure(FailureReason.OTHER, "the partition was given back before the end of the exchange");
        return new Fetched(outcome, Map.of(), Body.EMPTY, took, Optional.empty(), at, true);
    }

    /** Something that ended without an answer. */
    public static Fetched without(Outcome outcome, Duration took, Instant at) {
        return new Fetched(outcome, Map.of(), Body.EMPTY, took, Optional.empty(), at);
    }
}
