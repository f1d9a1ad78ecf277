package io.trawl.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.control.StopSign;
import io.trawl.control.StopSign.SignScope;
import io.trawl.model.MID;
import io.trawl.module.Counters;
import io.trawl.module.Deal;
import io.trawl.testkit.ListedControl;
import io.trawl.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DrainedStopSignsTest {
    private static final MID ANALYZER = MID.parse("A1|10.0.0.7:8081");
    private final AtomicBoolean away = new AtomicBoolean();
    private final AtomicLong turns = new AtomicLong(7);
    private final Counters counters = new Counters();
    private final ManualTime time = ManualTime.standing();

    @BeforeEach
    void twoPiecesOfWorkAreInFlight() {
        counters.accepted(2);
    }

    private DrainedStopSigns reading(boolean signed) {
        return reading(new StopSign(Optional.empty(), 3, signed, Instant.EPOCH));
    }

    private DrainedStopSigns reading(StopSign sign) {
        return new DrainedStopSigns(new ListedControl().read(sign), turns::get, counters, time, ANALYZER, away::get);
    }

    @Test
    void theSignOfThisModuleIsHandledWhenItHasLeftItsGroups() {
        DrainedStopSigns signs = reading(new StopSign(SignScope.of(ANALYZER), 3, true, Instant.EPOCH));
        turns.set(9);
        assertThat(signs.deals()).singleElement().satisfies(deal -> assertThat(deal.took()).isEmpty());
        away.set(true);
        assertThat(signs.deals()).singleElement().satisfies(deal -> assertThat(deal.took()).isPresent());
    }

    @Test
    void signsOfHostsAndOfOtherModulesDoNotConcernAnAnalyzer() {
        assertThat(reading(new StopSign(SignScope.ofHost("example.org"), 3, true, Instant.EPOCH)).deals()).isEmpty();
        assertThat(reading(new StopSign(SignScope.of(MID.parse("A2|10.0.0.7:8081")), 3, true, Instant.EPOCH)).deals())
                .isEmpty();
    }

    @Test
    void aSignIsHandledWhenTheTurnInWhichItWasReadIsOver() {
        DrainedStopSigns signs = reading(true);
        assertThat(signs.deals()).containsExactly(Deal.waiting("stop/*", 3, 2, Optional.empty()));
        counters.completed(2);
        turns.set(8);
        time.advance(Duration.ofMillis(70));
        assertThat(signs.deals()).containsExactly(Deal.done("stop/*", 3, Duration.ofMillis(70), 2));
        time.advance(Duration.ofMillis(70));
        assertThat(signs.deals()).as("the time stays")
                .containsExactly(Deal.done("stop/*", 3, Duration.ofMillis(70), 2));
    }

    @Test
    void aResetSignIsNotHandled() {
        DrainedStopSigns signs = reading(false);
        turns.set(8);
        assertThat(signs.deals()).isEmpty();
    }
}
