package io.trawl.downloader.frontier;

import org.jspecify.annotations.Nullable;

/**
 * Deals turns to priorities by {@link Shares}: smooth weighted round robin (as in nginx's upstream balancing). With each turn every priority that is ready gains
 * its weight, and the one that is served pays what all of them gained; who has most is next. So among those that are always ready nobody is more than a
 * round ahead or behind, and who was not ready has neither saved turns nor lost any. Belongs to the frontier's thread.
 */
final class Dealer {
    private final Shares shares;
    /** Absent until there was a choice: most hosts have requests of one priority only. */
    private long @Nullable [] credits;

    Dealer(Shares shares) {
        this.shares = shares;
    }

    boolean isStrict() { return shares.isStrict(); }

    /** Whose turn is next; the same until {@link #served} or until others are ready. */
    int next(Levels ready) {
        int next = ready.highest();
        for (int level = next - 1; level >= 0 && !shares.isStrict(); level--) {
            if (ready.has(level) && standing(level) > standing(next)) {
                next = level;
            }
        }
        return next;
    }

    private long standing(int level) {
        return shares.weight(level) + (credits == null ? 0 : credits[level]);
    }

    /** One of those that were ready has had its turn. */
    void served(int level, Levels ready) {
        if (shares.isStrict() || ready.without(level).isEmpty()) {
            return;
        }
        if (credits == null) {
            credits = new long[shares.levels()];
        }
        for (int other = 0; other < credits.length; other++) {
            credits[other] += ready.has(other) ? shares.weight(other) : 0;
        }
        credits[level] -= shares.weight(ready.with(level));
    }
}
