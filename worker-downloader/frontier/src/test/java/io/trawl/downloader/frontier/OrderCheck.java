package io.trawl.downloader.frontier;

import io.trawl.testkit.web.BacklogPlan;
import io.trawl.testkit.web.BacklogShare;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Checks the order of priorities independently of the frontier: a fetch is out of order if a host with a higher
 * priority was already available at the end of the previous step. Every host has one priority here. A host that became
 * available later does not count, since its ledger look-up is still outstanding.
 */
final class OrderCheck {
    private static final long IN_FLIGHT = Long.MAX_VALUE;
    private final int[] priorities;
    private final int[] remaining;
    private final long[] availableAt;
    private final List<PriorityQueue<Entry>> byPriority = new ArrayList<>();
    private long stepEnd = -1;
    private long outOfOrder;

    /** A host that is available from this time on, unless its state has changed since. */
    private record Entry(long at, int host) {}

    OrderCheck(BacklogPlan backlogPlan, int levels) {
        priorities = new int[backlogPlan.hosts()];
        remaining = new int[backlogPlan.hosts()];
        availableAt = new long[backlogPlan.hosts()];
        for (int p = 0; p < levels; p++) {
            byPriority.add(new PriorityQueue<>(Comparator.comparingLong(Entry::at)));
        }
        int first = 0;
        for (BacklogShare backlogShare : backlogPlan.shares()) {
            Arrays.fill(priorities, first, first + backlogShare.hosts(), backlogShare.priority());
            Arrays.fill(remaining, first, first + backlogShare.hosts(), backlogShare.perHost());
            for (int host = first; host < first + backlogShare.hosts(); host++) {
                byPriority.get(backlogShare.priority()).add(new Entry(0, host));
            }
            first += backlogShare.hosts();
        }
    }

    void stepEnds(long now) {
        stepEnd = now;
    }

    void begun(int host, int priority) {
        availableAt[host] = IN_FLIGHT;
        remaining[host]--;
        for (int higher = priority + 1; higher < byPriority.size(); higher++) {
            if (available(byPriority.get(higher))) {
                outOfOrder++;
                return;
            }
        }
    }

    private boolean available(PriorityQueue<Entry> hosts) {
        while (!hosts.isEmpty() && stale(hosts.peek())) {
            hosts.remove();
        }
        return !hosts.isEmpty() && hosts.peek().at() < stepEnd;
    }

    private boolean stale(Entry entry) {
        return availableAt[entry.host()] != entry.at() || remaining[entry.host()] == 0;
    }

    void ended(int host, long now, long next) {
        availableAt[host] = Math.max(now, next);
        byPriority.get(priorities[host]).add(new Entry(availableAt[host], host));
    }

    long outOfOrder() {
        return outOfOrder;
    }
}
