package io.trawl.testkit;

/**
 * What random tests begin with: the same on every commit, so that one commit fails like the next; another one every
 * night, {@code -Dtrawl.seed=N}, which also repeats a night.
 */
public final class RandomSeed {
    private static final long OF_A_COMMIT = 20261127;

    private RandomSeed() {}

    /** The seed, between 0 and a billion; prints it, for a test that fails. */
    public static int value() {
        int seed = Math.floorMod(Long.getLong("trawl.seed", OF_A_COMMIT), 1_000_000_000);
        System.out.println("trawl.seed=" + seed);
        return seed;
    }
}
