package io.trawl.downloader.frontier;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/** Hosts in the order of their turns: by the priority for which they stand, then by time. Belongs to the frontier's thread. */
final class Ranks {
    private final List<TreeSet<HostQueue>> levels = new ArrayList<>();
    private Levels present = Levels.NONE;
    private int size;

    Ranks(int levels, Comparator<HostQueue> order) {
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

    /** Only while the host stands as it did when it was added. */
    void remove(HostQueue host) {
        TreeSet<HostQueue> level = levels.get(host.best());
        if (level.remove(host)) {
            size--;
            present = level.isEmpty() ? present.without(host.best()) : present;
        }
    }

    boolean isEmpty() { return size == 0; }

    int size() {
        return size;
    }

    int size(int level) {
        return levels.get(level).size();
    }

    /** The priorities for which hosts stand here. */
    Levels levels() {
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
