package io.trawl.robots;

import io.trawl.model.HostKey;
import java.time.Duration;
import java.util.Optional;

/**
 * The robots.txt files that any process of the fleet has asked for, by host and by the product token of the crawler that asked: a site may answer each
 * crawler differently. A host's port speaks one scheme, so the scheme is no part of it. Thread-safe; calls block and throw
 * {@link io.trawl.ledger.LedgerUnavailable}.
 */
public interface FleetRobots {
    /**
     * What is kept.
     *
     * @param left for how long it is still believed; positive
     */
    record Found(RobotsAnswer answer, Duration left) {}

    /** What was kept last, unless its time is over. */
    Optional<Found> find(HostKey host, String token);

    /** Keeps an answer for so long, in the place of any before, unless it is longer than 500 KiB when packed. A time that is not positive keeps nothing. */
    void keep(HostKey host, String token, RobotsAnswer answer, Duration believed);
}
