package io.trawl.downloader.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.testkit.web.BacklogPlan;
import io.trawl.testkit.web.BacklogShare;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulationTest {
    private static final BacklogPlan BACKLOG_PLAN = new BacklogPlan(
            List.of(new BacklogShare(1, 500, 0), new BacklogShare(20, 10, 1), new BacklogShare(20, 10, 2)), true);

    @Test
    void theFrontierKeepsTheOrderOfPriorities() {
        Simulation.Report report = new Simulation(
                new Simulation.Shape(BACKLOG_PLAN, 3, 8, Duration.ofMillis(100), Duration.ofMillis(10), 500),
                Time.system()).run();
        assertThat(report.load().requests()).isEqualTo(900);
        assertThat(report.outOfOrder()).isZero();
        assertThat(report.decisions().size()).isGreaterThanOrEqualTo(400);
        // 400 requests of the small hosts, 10 each, a tenth of a second apart.
        assertThat(report.simulated()).isGreaterThan(Duration.ofMillis(900));
    }

    @Test
    void theCheckDetectsALowerPriorityThatStartsFirst() {
        OrderCheck check = new OrderCheck(BACKLOG_PLAN, 3);
        check.stepEnds(1);
        check.begun(0, 0);
        assertThat(check.outOfOrder()).isOne();
    }

    @Test
    void aHostThatHasJustBecomeAvailableDoesNotCount() {
        OrderCheck check = new OrderCheck(
                new BacklogPlan(List.of(new BacklogShare(1, 2, 0), new BacklogShare(1, 2, 1)), false), 2);
        check.begun(1, 1);
        check.ended(1, 10, 50);
        check.stepEnds(50);
        check.begun(0, 0);
        assertThat(check.outOfOrder()).isZero();
        check.stepEnds(51);
        check.begun(0, 0);
        assertThat(check.outOfOrder()).isOne();
    }

    @Test
    void theSteadyFrontierNeverRunsOutOfRequests() {
        SteadyFrontier frontier = SteadyFrontier.of(1000);
        long begun = 0;
        for (int i = 0; i < 20_000; i++) {
            begun += frontier.turn().size();
        }
        assertThat(begun).isBetween(19_000L, 20_000L);
    }
}
