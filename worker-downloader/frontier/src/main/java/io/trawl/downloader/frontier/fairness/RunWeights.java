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
    private final ToIntFunction<CrawlRun> most;
    private final Map<CrawlRun, Optional<CrawlRun>> named = new HashMap<>();

    /**
     * @param weights at least 1; may change at any time
     * @param most how many exchanges a run may have in flight in any case
     */
    public RunWeights(ToIntFunction<CrawlRun> weights, ToIntFunction<CrawlRun> most) {
        this.weights = weights;
        this.most = most;
    }

    /** The same run, as the object that is kept. */
    public Optional<CrawlRun> named(Optional<CrawlRun> run) {
        return run.isEmpty() ? run : named.computeIfAbsent(run.get(), r -> run);
    }

    /** How many exchanges a run may have in flight in any case. */
    int most(CrawlRun run) {
        return most.applyAsInt(run);
    }

    /** The weight of a run now; 1 for the requests that name none. */
    public int of(Optional<CrawlRun> run) {
        return run.isEmpty() ? 1 : Math.max(1, weights.applyAsInt(run.get()));
    }
}
