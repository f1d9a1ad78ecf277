package io.trawl.downloader.frontier;

import io.trawl.downloader.fetch.Fetched;
import io.trawl.model.Outcome;
import java.time.Duration;
import java.util.Optional;

/** What came of a {@link Visit}. */
public sealed interface Visited {
    /**
     * There is an answer.
     *
     * @param fetched the exchange; empty if there was none: robots.txt forbids it, or it is not over yet
     */
    record Answered(Outcome outcome, Optional<Fetched> fetched) implements Visited {}

    /**
     * Its host may not be asked in time.
     *
     * @param why in words for people
     * @param pause after how long it may be worth while to ask again
     */
    record Late(String why, Duration pause) implements Visited {}

    /** Another process has the host, or will have it soon. */
    record Elsewhere() implements Visited {}
}
