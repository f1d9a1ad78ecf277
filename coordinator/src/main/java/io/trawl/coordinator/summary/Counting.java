package io.trawl.coordinator.summary;

/**
 * How far a coordinator that has just started, or is about to lead, has read the ledger. Until it has read all, its
 * totals are incomplete.
 *
 * @param counted offsets of the ledger that are read
 * @param known offsets of the ledger that must be read; 0 before the coordinator knows it
 */
public record Counting(long counted, long known) {
    /** The part that is read, in whole percent: 0 to 99. */
    public int percent() {
        return known == 0 ? 0 : (int) Math.min(99, counted * 100 / known);
    }
}
