package io.trawl.downloader.frontier.queue;

import io.trawl.downloader.frontier.fairness.PrioritySet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/** Hosts in the order of their turns: by priority, then by time. Belongs to the frontier's thread. */
public final class HostRanking {
    private final List<TreeSet<HostQueue>> levels = new ArrayList<>();
    private PrioritySet present = PrioritySet.NONE;
    private int size;

    HostRanking(int levels, Comparator<HostQueue> order) {
        for (int level = 0; level < levels; level++) {
            this.levels.add(new TreeSet<>(order));
        }
    }

    void add(HostQueue host) {
        if (levels.get(host.best()).add(host)) {
            size++;
            present = present.with(host.best());
        }
    }

    /** Removes a host; only while its priority and rank are those with which it was added. */
    void remove(HostQueue host) {
        TreeSet<HostQueue> level = levels.get(host.best());
        if (level.remove(host)) {
            size--;
            present = level.isEmpty() ? present.without(host.best()) : present;
        }
    }

    public boolean isEmpty() { return size == 0; }

    public int size() {
        return size;
    }

    int size(int level) {
        return levels.get(level).size();
    }

    /** The priorities that have hosts here. */
    PrioritySet levels() {
        return present;
    }

    /** Only if there is one. */
    HostQueue first(int level) {
        return levels.get(level).first();
    }

    /** Only if there is one. */
    HostQueue last(int level) {
        return levels.get(level).last();
    }
}
