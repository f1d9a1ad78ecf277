package io.trawl.coordinator.queue;

import java.util.Optional;

/**
 * The number of requests that may wait at each priority before seeds are refused (S1): the highest priority has the
 * base, the next one twice the base, then three times, and so on.
 *
 * @param base of the highest priority; 0: no limit anywhere
 * @param levels the number of priorities
 */
public record CapacityRule(long base, int levels) {
    /** The capacity of a priority; empty if it has no limit. */
    public Optional<Long> of(int priority) {
        return base == 0 ? Optional.empty() : Optional.of(base * (levels - priority));
    }
}
