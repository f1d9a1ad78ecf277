package io.trawl.coordinator.summary;

/**
 * What has gone through one priority since the deployment began (S1), so that {@code pushed = popped + waiting + abandoned}.
 *
 * @param pushed requests that were emitted
 * @param popped requests that were answered
 * @param waiting requests that are not answered yet
 * @param abandoned requests that were waiting when a fresh run took the place of theirs: nobody answers them any more
 */
public record LevelCounts(long pushed, long popped, long waiting, long abandoned) {
    /** Nothing has happened. */
    public static final LevelCounts NONE = new LevelCounts(0, 0, 0, 0);

    /** Both together. */
    public LevelCounts plus(LevelCounts other) {
        return new LevelCounts(pushed + other.pushed, popped + other.popped, waiting + other.waiting,
                abandoned + other.abandoned);
    }

    /** The same after the run is over. */
    LevelCounts over() {
        return new LevelCounts(pushed, popped, 0, abandoned + waiting);
    }
}
