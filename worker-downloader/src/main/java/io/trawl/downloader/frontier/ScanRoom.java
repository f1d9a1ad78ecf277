package io.trawl.downloader.frontier;

import java.util.ArrayList;
import java.util.List;

/**
 * Decides which priorities may be read on, so that memory stays bounded (S14). Lower priorities stop first; but each has a share of its own that no
 * other can take, so that a flood of one never keeps another from being seen. That holds with {@link Shares} too. Stopped ones go on below 80 % of where they stopped. Belongs to the
 * frontier's thread.
 */
final class ScanRoom {
    private static final double GO_ON = 0.8;
    /** A host takes as much memory as so many offsets. */
    private static final int HOST = 100;
    /** So many hosts are not counted, so that a small limit means what it says. */
    private static final int FREE_HOSTS = 1000;
    private final long[] limits;
    private final boolean[] on;
    private final long share;

    /** @param most how many requests may be pending in all */
    ScanRoom(int levels, int most) {
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
     * What changes, now that so many requests of each priority are pending.
     *
     * @param hosts to which they belong in all; requests of many hosts are dearer than as many of few
     */
    List<Action.Scan> update(long[] pending, int hosts) {
        long requests = 0;
        for (long n : pending) {
            requests += n;
        }
        double dearer = 1 + (double) HOST * Math.max(0, hosts - FREE_HOSTS) / Math.max(1, requests);
        double total = requests * dearer;
        List<Action.Scan> changes = new ArrayList<>(0);
        for (int p = 0; p < on.length; p++) {
            double factor = on[p] ? 1 : GO_ON;
            boolean room = total < limits[p] * factor || pending[p] * dearer < share * factor;
            if (room != on[p]) {
                on[p] = room;
                changes.add(new Action.Scan(p, room));
            }
        }
        return changes;
    }
}
