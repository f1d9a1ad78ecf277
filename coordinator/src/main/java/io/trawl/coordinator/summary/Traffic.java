package io.trawl.coordinator.summary;

import io.trawl.model.RefusalReason;
import java.util.Map;

/**
 * The traffic of all request channels, over all crawls and runs. The sums are over committed ledger records, so they
 * survive crashes.
 *
 * @param levels by priority; priorities that never had a request are left out
 * @param refusals URLs that did not become a request or were not fetched, by reason
 */
public record Traffic(Map<Integer, LevelCounts> levels, Map<RefusalReason, Long> refusals) {
    /**
     * The traffic of one of so many priorities. Requests of a priority that is gone count for the highest, where they
     * wait now.
     */
    public LevelCounts of(int priority, int count) {
        return levels.entrySet().stream().filter(level -> Math.min(level.getKey(), count - 1) == priority)
                .map(Map.Entry::getValue).reduce(LevelCounts.NONE, LevelCounts::plus);
    }

    /**
     * The traffic of one priority since the start of the deployment (S1), so that {@code pushed = popped + waiting +
     * abandoned}.
     *
     * @param pushed requests that were emitted, or moved here from another priority
     * @param popped requests that were answered, or moved to another priority
     * @param waiting requests that are not answered yet
     * @param abandoned requests that were waiting when a fresh run replaced theirs: they are never answered
     */
    public record LevelCounts(long pushed, long popped, long waiting, long abandoned) {
        /** No traffic. */
        public static final LevelCounts NONE = new LevelCounts(0, 0, 0, 0);

        /** The sum of both. */
        public LevelCounts plus(LevelCounts other) {
            return new LevelCounts(pushed + other.pushed, popped + other.popped, waiting + other.waiting,
                    abandoned + other.abandoned);
        }

        /** The counts after the end of the run. */
        LevelCounts over() {
            return new LevelCounts(pushed, popped, 0, abandoned + waiting);
        }
    }
}
