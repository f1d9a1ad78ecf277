package io.trawl.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.definition.RefreshRules.VisitInterval;
import io.trawl.model.FreshnessSimulation.Freshness;
import io.trawl.model.FreshnessSimulation.NutchRule;
import io.trawl.model.FreshnessSimulation.OwnRule;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChangeRateTest {
    private static final VisitInterval INTERVAL = FreshnessSimulation.INTERVAL;

    @Test
    void copiesAreAsFreshAsSoManyVisitsCanKeepThemButForThreeHundredths() {
        FreshnessSimulation web = new FreshnessSimulation(2000, Duration.ofHours(2), Duration.ofDays(180), INTERVAL,
                Duration.ofHours(1), 24 * 300);
        for (int visitsPerRound : List.of(80, 25, 8)) {
            Freshness own = web.run(new OwnRule(INTERVAL), visitsPerRound);
            Freshness nutch = web.run(new NutchRule(INTERVAL, FreshnessSimulation.FIRST), visitsPerRound);
            System.out.printf("%.0f visits a day: %.1f %% fresh, at best %.1f %%, by the rule of Nutch %.1f %%%n",
                    own.perDay(), 100 * own.freshness(), 100 * own.best(), 100 * nutch.freshness());
            assertThat(own.share()).as("%d visits in an hour", visitsPerRound).isBetween(0.97, 1.0)
                    .isGreaterThan(nutch.share());
        }
    }

    @Test
    void aPageThatBeginsToChangeOtherwiseIsFollowed() {
        ChangeRate still = ChangeRate.guess(Duration.ofDays(1));
        for (int i = 0; i < 100; i++) {
            still = still.after(INTERVAL.of(still), false);
        }
        assertThat(Duration.ofSeconds(still.every())).isGreaterThan(Duration.ofDays(30));
        ChangeRate lively = still;
        for (int i = 0; i < 60; i++) {
            lively = lively.after(INTERVAL.of(lively), true);
        }
        assertThat(Duration.ofSeconds(lively.every())).isLessThan(Duration.ofDays(1));
    }

    @Test
    void theRateStaysInItsBoundsWhateverTheClockSays() {
        ChangeRate rate = ChangeRate.guess(Duration.ZERO);
        assertThat(rate.every()).isEqualTo(1);
        for (Duration gap : List.of(Duration.ofDays(-1), Duration.ZERO, Duration.ofDays(100_000))) {
            assertThat(rate.after(gap, true).every()).isPositive();
            assertThat(rate.after(gap, false).every()).isPositive();
            assertThat(rate.worth(gap)).isBetween(0.0, 1.0);
        }
        assertThat(ChangeRate.guess(Duration.ofDays(100_000)).every()).isEqualTo(Duration.ofDays(3650).toSeconds());
    }
}
