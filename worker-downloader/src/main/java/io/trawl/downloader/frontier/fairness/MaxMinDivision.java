package io.trawl.downloader.frontier.fairness;

import java.util.Arrays;

/**
 * Divides a number of slots among parties by max-min fairness (Bertsekas and Gallager, Data Networks, 1992, section
 * 6.5.2): none gets more than it can use, and none more than the others as long as one of these could use more. A change
 * takes constant time; the division is calculated when it is needed, in a step per slot at most. Belongs to the
 * frontier's thread.
 */
final class MaxMinDivision {
    private static final int UNKNOWN = -1;
    private final int slots;
    /** The number of parties by how many slots each could use. */
    private final int[] parties;
    private int total;
    private int level = UNKNOWN;

    MaxMinDivision(int slots) {
        this.slots = slots;
        this.parties = new int[slots + 1];
    }

    /** A party that could use that many slots before could use another number now. */
    void changed(int before, int after) {
        int from = Math.min(before, slots);
        int to = Math.min(after, slots);
        if (from != to) {
            count(from, -1);
            count(to, 1);
            level = UNKNOWN;
        }
    }

    private void count(int demand, int change) {
        if (demand > 0) {
            parties[demand] += change;
            total += change;
        }
    }

    /** The number of parties that could use a slot. */
    int parties() {
        return total;
    }

    /** The most slots that one party gets, rounded down. */
    int level() {
        if (level == UNKNOWN) {
            int active = total;
            int left = slots;
            level = 0;
            while (active > 0 && left >= active && level < slots) {
                left -= active;
                level++;
                active -= parties[level];
            }
            level = active == 0 ? slots : level;
        }
        return level;
    }

    @Override
    public String toString() {
        return level() + " of " + slots + " slots each, by demand " + Arrays.toString(parties);
    }
}
