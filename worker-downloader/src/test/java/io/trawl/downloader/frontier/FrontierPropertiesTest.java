package io.trawl.downloader.frontier;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** The promises of {@link Frontier}, held against {@link Reference} over random lives: arrivals, delays, failures, retries and moving partitions. */
class FrontierPropertiesTest {
    @Property(tries = 600, shrinking = ShrinkingMode.OFF)
    void aFrontierNeverBreaksItsPromisesAndAnswersEverything(@ForAll long seed) {
        Reference reference = new Reference(seed);
        reference.live(400);
        reference.end();
    }

    @Property(tries = 300, shrinking = ShrinkingMode.OFF)
    void withSharesToo(@ForAll long seed) {
        Reference reference = new Reference(seed, true);
        reference.live(400);
        reference.end();
    }
}
