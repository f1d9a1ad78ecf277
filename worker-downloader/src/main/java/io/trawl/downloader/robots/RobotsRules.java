package io.trawl.downloader.robots;

import io.trawl.downloader.fetch.Fetched;
import java.time.Duration;
import java.util.Optional;

/** What one host's robots.txt says to one crawler. Immutable; safe for use by many threads. */
public interface RobotsRules {
    /** Whether the URL (absolute, of this host) may be fetched. */
    boolean isAllowed(String url);

    /** The {@code Crawl-delay}, if the file has one; not capped. */
    Optional<Duration> crawlDelay();

    /**
     * Whether the file could not be had (5xx, 429, no connection, time-out), so that nothing is allowed until it has been asked for again: a passing
     * state that says nothing about any URL. {@link RobotsSource#cached} forgets such rules after a few minutes.
     */
    boolean unavailable();

    /** About how much memory they take. */
    default long bytes() {
        return 300;
    }

    /** What asking for the file came to, if it is {@link #unavailable()}: fit for the retry policy, and as the answer of a request that gives up. */
    default Optional<Fetched> trouble() {
        return Optional.empty();
    }
}
