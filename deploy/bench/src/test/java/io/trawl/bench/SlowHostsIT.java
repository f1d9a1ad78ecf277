package io.trawl.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.bench.run.SlowHostsBench;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * Quick hosts keep their rate beside slow, trickling and silent ones in {@code ./trawl crawl}: the benchmark of that
 * name, {@code -Dslow.pairs=1} for one round. The frontier alone holds the same in
 * {@link io.trawl.downloader.frontier.FairnessSimulationTest}, on every commit.
 */
@Tag("nightly")
class SlowHostsIT {
    @Test
    void quickHostsKeepNineTenthsOfTheirRateBesideSlowTricklingAndSilentOnes() {
        assertThat(new CommandLine(new SlowHostsBench()).execute("--pairs", System.getProperty("slow.pairs", "3")))
                .as("the exit status, after the table").isZero();
    }
}
