package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.fairness.PriorityShares;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides which priorities may be read, so that memory stays bounded (S14). Lower priorities pause first. Each priority
 * has a share of its own that no other can take, so a flood of one never hides another; this holds with
 * {@link PriorityShares}, too. A paused priority resumes below 80 % of the limit at which it paused. Belongs to the
 * frontier's thread.
 */
final class ScanBudget {
    private static final double RESUME_BELOW = 0.8;
    /** A host takes as much memory as this many offsets. */
    private static final int HOST = 100;
    /** This many hosts are not counted, so that a small limit means exactly its number of requests. */
    private static final int FREE_HOSTS = 1000;
    private final long[] limits;
    private final boolean[] on;
    private final long share;

    /** @param most the limit of pending requests in total */
    ScanBudget(int levels, int most) {
        share = Math.max(1, most / (4L * levels));
        long common = Math.max(1, most - share * (levels - 1));
        limits = new long[levels];
        on = new boolean[levels];
        for (int p = 0; p < levels; p++) {
            limits[p] = Math.max(1, common / 2 + common / 2 * (p + 1) / levels);
            on[p] = true;
        }
    }

    /**
     * The changes for these numbers of pending requests by priority.
     *
     * @param hosts the number of hosts in total; requests of many hosts cost more memory than requests of few
     */
    List<FrontierAction.Scan> update(long[] pending, int hosts) {
        long requests = 0;
        for (long n : pending) {
            requests += n;
        }
        double dearer = 1 + (double) HOST * Math.max(0, hosts - FREE_HOSTS) / Math.max(1, requests);
        double total = requests * dearer;
        List<FrontierAction.Scan> changes = new ArrayList<>(0);
        for (int p = 0; p < on.length; p++) {
            double factor = on[p] ? 1 : RESUME_BELOW;
            boolean fits = total < limits[p] * factor || pending[p] * dearer < share * factor;
            if (fits != on[p]) {
                on[p] = fits;
                changes.add(new FrontierAction.Scan(p, fits));
            }
        }
        return changes;
    }
}
