package io.trawl.bench.frontier;

import io.trawl.bench.load.Backlog;
import io.trawl.bench.load.Share;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Judges from outside whether priorities were kept: a fetch is out of order if, when the step before it ended, a host with a higher priority could have been
 * asked already. A host has one priority here. A host that has become free only since then does not count: the ledger has not been asked yet.
 */
final class OrderCheck {
    private static final long IN_FLIGHT = Long.MAX_VALUE;
    private final int[] priorities;
    private final int[] left;
    private final long[] freeAt;
    private final List<PriorityQueue<Entry>> free = new ArrayList<>();
    private long ended = -1;
    private long outOfOrder;

    /** A host that is free from then on, unless something has happened to it since. */
    private record Entry(long at, int host) {}

    OrderCheck(Backlog backlog, int levels) {
        priorities = new int[backlog.hosts()];
        left = new int[backlog.hosts()];
        freeAt = new long[backlog.hosts()];
        for (int p = 0; p < levels; p++) {
            free.add(new PriorityQueue<>(Comparator.comparingLong(Entry::at)));
        }
        int first = 0;
        for (Share share : backlog.shares()) {
            Arrays.fill(priorities, first, first + share.hosts(), share.priority());
            Arrays.fill(left, first, first + share.hosts(), share.perHost());
            for (int host = first; host < first + share.hosts(); host++) {
                free.get(share.priority()).add(new Entry(0, host));
            }
            first += share.hosts();
        }
    }

    void stepEnds(long now) {
        ended = now;
    }

    void begun(int host, int priority) {
        freeAt[host] = IN_FLIGHT;
        left[host]--;
        for (int higher = priority + 1; higher < free.size(); higher++) {
            if (couldHaveLeft(free.get(higher))) {
                outOfOrder++;
                return;
            }
        }
    }

    private boolean couldHaveLeft(PriorityQueue<Entry> hosts) {
        while (!hosts.isEmpty() && stale(hosts.peek())) {
            hosts.remove();
        }
        return !hosts.isEmpty() && hosts.peek().at() < ended;
    }

    private boolean stale(Entry entry) {
        return freeAt[entry.host()] != entry.at() || left[entry.host()] == 0;
    }

    void landed(int host, long now, long next) {
        freeAt[host] = Math.max(now, next);
        free.get(priorities[host]).add(new Entry(freeAt[host], host));
    }

    long outOfOrder() {
        return outOfOrder;
    }
}
