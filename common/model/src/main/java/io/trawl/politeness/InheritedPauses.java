package io.trawl.politeness;

import io.trawl.model.HostKey;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The pauses that earlier owners of a leased partition left.
 *
 * @param sinceBreak the time since a lease was last taken from an owner that had not released it, zero if that was now:
 * hosts that are not listed may have been fetched until then; empty if that never happened
 * @param pauses how long hosts must not be fetched yet
 */
public record InheritedPauses(Optional<Duration> sinceBreak, Map<HostKey, Duration> pauses) {
    /** Copies the map. */
    public InheritedPauses {
        pauses = Map.copyOf(pauses);
    }

    /** There was no earlier owner, or all pauses are over. */
    public static InheritedPauses nothing() {
        return new InheritedPauses(Optional.empty(), Map.of());
    }
}
