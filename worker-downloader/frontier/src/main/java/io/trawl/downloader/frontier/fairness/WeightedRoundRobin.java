package io.trawl.downloader.frontier.fairness;

import org.jspecify.annotations.Nullable;

/**
 * Assigns turns to priorities by {@link PriorityShares}: smooth weighted round robin (as in nginx's upstream
 * balancing). With each turn every ready priority gains its weight, and the served one pays the sum of these gains; the
 * one with the largest credit is next. So no priority that is always ready is more than a round ahead or behind, and
 * one that was not ready has neither saved nor lost turns. Belongs to the frontier's thread.
 */
public final class WeightedRoundRobin {
    private final PriorityShares priorityShares;
    /** Absent until there was a choice: most hosts have requests of one priority only. */
    private long @Nullable [] credits;

    WeightedRoundRobin(PriorityShares priorityShares) {
        this.priorityShares = priorityShares;
    }

    public boolean isStrict() { return priorityShares.isStrict(); }

    /** The priority whose turn is next; the same until {@link #served} or until others are ready. */
    public int next(PrioritySet ready) {
        int next = ready.highest();
        for (int level = next - 1; level >= 0 && !priorityShares.isStrict(); level--) {
            if (ready.has(level) && credit(level) > credit(next)) {
                next = level;
            }
        }
        return next;
    }

    private long credit(int level) {
        return priorityShares.weight(level) + (credits == null ? 0 : credits[level]);
    }

    /** One of the ready priorities has used its turn. */
    public void served(int level, PrioritySet ready) {
        if (priorityShares.isStrict() || ready.without(level).isEmpty()) {
            return;
        }
        if (credits == null) {
            credits = new long[priorityShares.levels()];
        }
        for (int other = 0; other < credits.length; other++) {
            credits[other] += ready.has(other) ? priorityShares.weight(other) : 0;
        }
        credits[level] -= priorityShares.weight(ready.with(level));
    }
}
