package io.trawl.bench.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.bench.frontier.FairnessSimulation.AnswerKind;
import io.trawl.bench.frontier.FairnessSimulation.FairnessReport;
import io.trawl.bench.frontier.FairnessSimulation.SiteMix;
import io.trawl.bench.frontier.FairnessSimulation.Site;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What hostile sites take from others; time is simulated, so the figures are the same on every machine. */
class FairnessSimulationTest {
    private static final Site HONEST = new Site("honest%d", 10, 300, Duration.ofMillis(50), AnswerKind.PAGES);

    private static FairnessReport run(Duration delay, Site... sites) {
        return new FairnessSimulation(new SiteMix(List.of(sites), 64, delay, Duration.ofMinutes(10))).run();
    }

    @Test
    void anEndlessSiteGetsUnderTwoPercentAndTakesNothing() {
        Site clean = new Site("clean%d", 20, 500, Duration.ofMillis(50), AnswerKind.PAGES);
        FairnessReport beside = run(Duration.ZERO, clean,
                new Site("endless", 1, 50_000, Duration.ofMillis(2), AnswerKind.SAME_PAGE));
        assertThat(beside.part(1)).isLessThan(0.02);
        assertThat(beside.rate(0)).isGreaterThan(0.99 * run(Duration.ZERO, clean).rate(0));
    }

    @Test
    void silentHostsOfManyDomainsTakeLessThanATenth() {
        double alone = run(Duration.ofSeconds(1), HONEST).rate(0);
        Site silent = new Site("silent%d", 400, 20, Duration.ofSeconds(30), AnswerKind.NOTHING);
        assertThat(run(Duration.ofSeconds(1), HONEST, silent).rate(0)).isGreaterThan(0.9 * alone);
    }

    @Test
    void aSmallCrawlIsDoneSoonAlthoughALargeOneHasTheSameHost() {
        SharedHostSimulation simulation = new SharedHostSimulation(2500, 3, Duration.ofSeconds(1));
        assertThat(simulation.untilSmallIsDone(true)).isLessThan(Duration.ofSeconds(10));
        assertThat(simulation.untilSmallIsDone(false)).isGreaterThan(Duration.ofSeconds(2499));
    }

    @Test
    void silentHostsOfOneDomainTakeLessThanATenth() {
        double alone = run(Duration.ofSeconds(1), HONEST).rate(0);
        Site silent = new Site("silent", 400, 20, Duration.ofSeconds(30), AnswerKind.NOTHING);
        assertThat(run(Duration.ofSeconds(1), HONEST, silent).rate(0)).isGreaterThan(0.9 * alone);
    }
}
