package io.trawl.downloader.frontier.fairness;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Divides a number of slots among parties by weighted max-min fairness (Bertsekas and Gallager, Data Networks, 1992,
 * section 6.5.2): none gets more than it can use, and none more in proportion to its weight than the others as long as
 * one of these could use more. A change takes logarithmic time; the division is calculated when it is needed, in a step
 * per weight and number of slots that parties could use. Belongs to the frontier's thread.
 */
final class MaxMinDivision {
    private static final double UNKNOWN = -1;
    private static final double ROUNDING = 1e-9;
    private final int slots;
    /** By weight: the number of parties by how many slots each could use. */
    private final Map<Integer, TreeMap<Integer, Integer>> parties = new TreeMap<>();
    private int total;
    private double level = UNKNOWN;

    /** So many parties of one weight that could use so many slots each. */
    private record Bucket(int weight, int demand, int parties) {
        double level() {
            return (double) demand / weight;
        }
    }

    MaxMinDivision(int slots) {
        this.slots = slots;
    }

    /** A party of that weight that could use that many slots before could use another number now. */
    void changed(int weight, int before, int after) {
        int from = Math.min(before, slots);
        int to = Math.min(after, slots);
        if (from != to) {
            TreeMap<Integer, Integer> byDemand = parties.computeIfAbsent(weight, w -> new TreeMap<>());
            count(byDemand, from, -1);
            count(byDemand, to, 1);
            if (byDemand.isEmpty()) {
                parties.remove(weight);
            }
            level = UNKNOWN;
        }
    }

    private void count(TreeMap<Integer, Integer> byDemand, int demand, int change) {
        if (demand > 0) {
            byDemand.merge(demand, change, (parties, more) -> parties + more == 0 ? null : parties + more);
            total += change;
        }
    }

    /** The number of parties that could use a slot. */
    int parties() {
        return total;
    }

    /** The most slots that a party of that weight gets, rounded down. */
    int part(int weight) {
        if (level == UNKNOWN) {
            level = divide();
        }
        return (int) Math.min(slots, level * weight + ROUNDING);
    }

    /** The most slots per weight: parties that can use less get what they can use, smallest first. */
    private double divide() {
        List<Bucket> buckets = buckets();
        double weights = 0;
        for (Bucket bucket : buckets) {
            weights += (double) bucket.weight() * bucket.parties();
        }
        double left = slots;
        for (Bucket bucket : buckets) {
            if (bucket.level() * weights > left + ROUNDING) {
                return left / weights;
            }
            left -= (double) bucket.demand() * bucket.parties();
            weights -= (double) bucket.weight() * bucket.parties();
        }
        return slots;
    }

    private List<Bucket> buckets() {
        List<Bucket> buckets = new ArrayList<>();
        parties.forEach((weight, byDemand) -> byDemand
                .forEach((demand, count) -> buckets.add(new Bucket(weight, demand, count))));
        if (parties.size() > 1) {
            buckets.sort(Comparator.comparingDouble(Bucket::level));
        }
        return buckets;
    }

    @Override
    public String toString() {
        return part(1) + " of " + slots + " slots for a weight of 1: " + buckets();
    }
}
