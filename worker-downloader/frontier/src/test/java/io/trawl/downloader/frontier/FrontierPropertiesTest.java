package io.trawl.downloader.frontier;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * The guarantees of {@link Frontier}, checked in {@linkplain RandomLife random runs}: arrivals, delays, failures,
 * retries and moving partitions.
 */
class FrontierPropertiesTest {
    @Property(tries = 300, shrinking = ShrinkingMode.OFF)
    void aFrontierNeverBreaksItsPromisesAndAnswersEverything(@ForAll long seed) {
        RandomLife life = new RandomLife(seed);
        life.live(400);
        life.end();
    }

    @Property(tries = 150, shrinking = ShrinkingMode.OFF)
    void withSharesToo(@ForAll long seed) {
        RandomLife life = new RandomLife(seed, true);
        life.live(400);
        life.end();
    }
}
