package io.trawl.lease;

import io.trawl.model.HostKey;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What earlier owners of a shard left behind.
 *
 * @param sinceBreak how long ago somebody took the shard over from an owner that had not handed it over, zero if that was now: hosts that are not named may
 * have been asked until then; empty if that never happened
 * @param pauses how long hosts must still be left alone
 */
public record Legacy(Optional<Duration> sinceBreak, Map<HostKey, Duration> pauses) {
    /** Copies the map. */
    public Legacy {
        pauses = Map.copyOf(pauses);
    }

    /** Nobody was there before, or everything is long over. */
    public static Legacy nothing() {
        return new Legacy(Optional.empty(), Map.of());
    }
}
