package io.trawl.downloader.frontier.fairness;

import io.trawl.model.CrawlRun;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Deals turns to runs in proportion to their weights: worst-case fair weighted fair queueing (WF2Q+, Bennett and Zhang,
 * IEEE/ACM Transactions on Networking 5(5), 1997), where every turn counts the same. While a run waits, it is never a
 * turn ahead of its share nor a turn behind it. One that comes back after a while has saved no turns, and one that has
 * had more than its share owes them. Of runs with equal claims the one that came first is next. Every operation takes
 * linear time in the number of runs. Belongs to the frontier's thread.
 */
public final class FairTurns {
    /** A turn of a run with weight 1, in virtual time. */
    private static final long TURN = 1L << 32;
    private final RunWeights weights;
    /**
     * The virtual time at which the next turn of a run may begin; without the runs that do not wait and owe nothing.
     */
    private final Map<Optional<CrawlRun>, Long> starts = new HashMap<>(4);
    private long virtual;

    /** Deals without a past. */
    public FairTurns(RunWeights weights) {
        this.weights = weights;
    }

    /** A run has requests from now on. */
    public void begins(Optional<CrawlRun> run) {
        starts.merge(run, virtual, Math::max);
    }

    /**
     * The run whose turn is next; the same until {@link #served}, or until other runs wait.
     *
     * @param waiting not empty, in the order in which they came
     */
    public Optional<CrawlRun> next(List<Optional<CrawlRun>> waiting) {
        long at = eligibleAt(waiting);
        Optional<CrawlRun> next = waiting.getFirst();
        long first = Long.MAX_VALUE;
        for (Optional<CrawlRun> run : waiting) {
            long end = end(run, 1);
            if (start(run) <= at && end < first) {
                next = run;
                first = end;
            }
        }
        return next;
    }

    /** No turn is left idle: the time goes on to the first run that may have one. */
    private long eligibleAt(Collection<Optional<CrawlRun>> waiting) {
        long earliest = Long.MAX_VALUE;
        for (Optional<CrawlRun> run : waiting) {
            earliest = Math.min(earliest, start(run));
        }
        return Math.max(virtual, earliest);
    }

    private long start(Optional<CrawlRun> run) {
        return starts.getOrDefault(run, virtual);
    }

    private long end(Optional<CrawlRun> run, long turns) {
        return start(run) + turns * TURN / weights.of(run);
    }

    /**
     * A run has used its turn.
     *
     * @param waiting the runs that waited for it, this one included
     */
    public void served(Optional<CrawlRun> run, Set<Optional<CrawlRun>> waiting) {
        long sum = waiting.stream().mapToLong(weights::of).sum();
        long at = eligibleAt(waiting);
        starts.put(run, end(run, 1));
        virtual = at + (TURN + sum - 1) / sum;
        starts.entrySet().removeIf(entry -> entry.getValue() <= virtual && !waiting.contains(entry.getKey()));
    }

    /** Whether no run but this one has had turns that count. */
    public boolean forgettable(Optional<CrawlRun> only) {
        return starts.keySet().stream().allMatch(only::equals);
    }

    /**
     * About how many turns a run is dealt before a turn of another, if both have requests until then and no run comes
     * or goes.
     *
     * @param turn of the other, 1 for its next one
     */
    public long before(Optional<CrawlRun> other, long turn, Optional<CrawlRun> run) {
        return Math.max(0, (end(other, turn) - start(run)) / (TURN / weights.of(run)));
    }
}
