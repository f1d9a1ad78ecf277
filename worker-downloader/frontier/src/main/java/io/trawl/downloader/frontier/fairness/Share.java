package io.trawl.downloader.frontier.fairness;

import java.util.ArrayList;
import java.util.List;

/**
 * The hosts and exchanges of one domain or run. Each number counts a priority and those above it, so that a request
 * competes with those that do not come before it anyway. Belongs to the frontier's thread.
 */
final class Share {
    private final int weight;
    private final int most;
    private final int[] working;
    private final int[] prepared;
    private final int[] inFlight;
    /** The waiting parts of this domain; their order depends on its numbers. */
    private final List<WaitingHosts.Waiting<?>> parts = new ArrayList<>(0);
    private int users;

    /**
     * @param weight its part in proportion to the others
     * @param most how many exchanges it may have in flight in any case
     */
    Share(int levels, int weight, int most) {
        this.weight = weight;
        this.most = most;
        working = new int[levels];
        prepared = new int[levels];
        inFlight = new int[levels];
    }

    /** The number of its hosts that have requests changes, and with it what it could use of the slots. */
    void working(int priority, int change, List<MaxMinDivision> divisions, int perHost) {
        for (int level = 0; level <= priority; level++) {
            int before = working[level];
            working[level] += change;
            divisions.get(level).changed(weight, before * perHost, working[level] * perHost);
        }
    }

    void prepared(int priority, int change) {
        add(prepared, priority, change);
    }

    void inFlight(int priority, int change) {
        add(inFlight, priority, change);
    }

    private static void add(int[] numbers, int priority, int change) {
        for (int level = 0; level <= priority; level++) {
            numbers[level] += change;
        }
    }

    /** How far it uses its limit: exchanges, and as many hosts may be prepared for their turn. */
    int load(int level) {
        return Math.max(inFlight[level], prepared[level]);
    }

    /** Whether it has all that it may have in any case. */
    boolean full() {
        return load(0) >= most;
    }

    int weight() {
        return weight;
    }

    List<WaitingHosts.Waiting<?>> parts() {
        return parts;
    }

    void users(int change) {
        users += change;
    }

    boolean unused() {
        return users == 0;
    }
}
