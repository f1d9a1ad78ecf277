package io.trawl.downloader.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.frontier.FairnessSimulation.AnswerKind;
import io.trawl.downloader.frontier.FairnessSimulation.FairnessReport;
import io.trawl.downloader.frontier.FairnessSimulation.Site;
import io.trawl.downloader.frontier.FairnessSimulation.SiteMix;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What hostile sites take from others; time is simulated, so the figures are the same on every machine. */
class FairnessSimulationTest {
    private static final Site HONEST = new Site("honest%d", 10, 300, Duration.ofMillis(50), AnswerKind.PAGES);

    /** Alone, at a delay of a second, they take a minute. */
    private static final Site QUICK = new Site("quick%d", 20, 58, Duration.ofMillis(50), AnswerKind.PAGES);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int MANY = 4096;

    private static Site slow(int hosts, Duration took, AnswerKind answers) {
        return new Site("slow%d", hosts, hosts > 10_000 ? 2 : 7, took, answers);
    }

    private static FairnessReport keepsItsRate(int slots, Duration delay, Duration lead, Site quick, Site slow) {
        Duration limit = Duration.ofMinutes(10);
        double alone = new FairnessSimulation(new SiteMix(List.of(quick), slots, delay, Duration.ZERO, limit)).run()
                .rate(0);
        FairnessReport beside = new FairnessSimulation(new SiteMix(List.of(quick, slow), slots, delay, lead, limit))
                .run();
        assertThat(beside.rate(0) / alone).as("of the rate of quick hosts alone, %s", beside).isGreaterThan(0.9);
        return beside;
    }

    @ParameterizedTest
    @ValueSource(ints = {120, 600, 3000})
    void quickHostsKeepTheirRateBesideSlowOnesWhichHaveARequestInFlight(int hosts) {
        Site slow = slow(hosts, Duration.ofSeconds(10), AnswerKind.PAGES);
        assertThat(keepsItsRate(MANY, SECOND, Duration.ZERO, QUICK, slow).busy().get(1)).isGreaterThan(0.8);
        Site eager = new Site("quick%d", 20, 600, Duration.ofMillis(50), AnswerKind.PAGES);
        assertThat(keepsItsRate(MANY, Duration.ZERO, Duration.ZERO, eager, slow).busy().get(1)).isGreaterThan(0.8);
    }

    @Test
    void quickHostsKeepTheirRateBesideHostsThatTrickleOrTimeOut() {
        Site trickling = slow(3000, Duration.ofSeconds(60), AnswerKind.PAGES);
        assertThat(keepsItsRate(MANY, SECOND, Duration.ZERO, QUICK, trickling).busy().get(1)).isGreaterThan(0.8);
        keepsItsRate(MANY, SECOND, Duration.ZERO, QUICK, slow(3000, Duration.ofSeconds(30), AnswerKind.NOTHING));
    }

    @ParameterizedTest
    @CsvSource({"64, 120", "64, 3000", "4096, 100000"})
    void whereSlotsAreScarceQuickHostsComeFirstAndSlowOnesShareTheRest(int slots, int hosts) {
        Duration lead = Duration.ofSeconds(3);
        Duration took = Duration.ofSeconds(10);
        FairnessReport beside = keepsItsRate(slots, SECOND, lead, QUICK, slow(hosts, took, AnswerKind.PAGES));
        double share = beside.fetches().get(1) * took.toMillis() / (double) beside.simulated().minus(lead).toMillis()
                / slots;
        assertThat(share).as("part of all slots at slow hosts").isGreaterThan(0.7);
    }

    @Test
    void whereSlotsAreScarceQuickHostsKeepTheirRateBesideHostsThatTrickleOrTimeOut() {
        Duration lead = Duration.ofSeconds(3);
        keepsItsRate(64, SECOND, lead, QUICK, slow(3000, Duration.ofSeconds(60), AnswerKind.PAGES));
        keepsItsRate(64, SECOND, lead, QUICK, slow(3000, Duration.ofSeconds(30), AnswerKind.NOTHING));
    }

    private static FairnessReport run(Duration delay, Site... sites) {
        return new FairnessSimulation(new SiteMix(List.of(sites), 64, delay, Duration.ZERO, Duration.ofMinutes(10)))
                .run();
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
