package io.trawl.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.bench.Bench;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Quick hosts keep their rate beside slow, trickling and silent ones in {@code ./trawl crawl}: the benchmark of that
 * name, {@code -Dslow.pairs=1} for one round. The frontier alone holds the same in {@code FairnessSimulationTest}, on
 * every commit.
 */
@Tag("nightly")
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class SlowHostsIT {
    @Test
    void quickHostsKeepNineTenthsOfTheirRateBesideSlowTricklingAndSilentOnes() {
        assertThat(Bench.run("slow-hosts", "--pairs", System.getProperty("slow.pairs", "3")))
                .as("the exit status, after the table").isZero();
    }
}
