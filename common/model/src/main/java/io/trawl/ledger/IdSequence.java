package io.trawl.ledger;

import java.security.SecureRandom;
import java.util.Random;
import java.util.function.LongSupplier;

/**
 * The ids of the requests that a process emits: ranges of 2^20, whose beginnings are random, so that no process needs
 * to know another one, or what it was before it was killed. The ids of a range follow each other, so that the set of
 * those that wait is small. Of 10,000 million ids, two are alike with a probability of one in 300,000; of as many
 * random ones they would be likely. Thread-safe.
 */
public final class IdSequence implements LongSupplier {
    private static final int RANGE_BITS = 20;
    private static final long RANGE = 1L << RANGE_BITS;
    private final Random random = new SecureRandom();
    private long range;
    private long given = RANGE;

    @Override
    public synchronized long getAsLong() {
        if (given == RANGE) {
            range = random.nextLong() << RANGE_BITS;
            given = 0;
        }
        return range + given++;
    }
}
