package io.trawl.politeness;

import io.trawl.model.HostKey;
import java.time.Duration;
import java.util.Optional;

/**
 * The robots.txt files that processes of the fleet have fetched, by host and by the crawler's product token: a site may
 * answer each crawler differently. A port speaks one scheme, so the key does not include the scheme. Thread-safe; calls
 * block and throw {@link io.trawl.ledger.LedgerUnavailableException}.
 */
public interface RobotsStore {
    /**
     * A stored answer.
     *
     * @param left how long it is still valid; positive
     */
    record StoredRobots(RobotsAnswer answer, Duration left) {}

    /** The last stored answer, unless it has expired. */
    Optional<StoredRobots> find(HostKey host, String token);

    /**
     * Stores an answer for this time and replaces an earlier one, unless it is longer than 500 KiB when packed. Does
     * nothing if the time is not positive.
     */
    void keep(HostKey host, String token, RobotsAnswer answer, Duration believed);
}
