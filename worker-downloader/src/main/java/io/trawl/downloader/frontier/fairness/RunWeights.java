package io.trawl.downloader.frontier.fairness;

import io.trawl.model.CrawlRun;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * The weights of runs, by which slots and the turns of a host are divided among them. Keeps one object per run, since a
 * hundred thousand queues name theirs. Belongs to the frontier's thread.
 */
public final class RunWeights {
    private final ToIntFunction<CrawlRun> weights;
    private final Map<CrawlRun, Optional<CrawlRun>> named = new HashMap<>();

    /** @param weights at least 1; may change at any time */
    public RunWeights(ToIntFunction<CrawlRun> weights) {
        this.weights = weights;
    }

    /** All runs have the same weight. */
    public static RunWeights equal() {
        return new RunWeights(run -> 1);
    }

    /** The same run, as the object that is kept. */
    public Optional<CrawlRun> named(Optional<CrawlRun> run) {
        return run.isEmpty() ? run : named.computeIfAbsent(run.get(), r -> run);
    }

    /** The weight of a run now; 1 for the requests that name none. */
    public int of(Optional<CrawlRun> run) {
        return run.isEmpty() ? 1 : Math.max(1, weights.applyAsInt(run.get()));
    }
}
