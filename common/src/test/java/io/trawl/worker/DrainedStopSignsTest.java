package io.trawl.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.control.ControlRecord.StopSign;
import io.trawl.module.Counters;
import io.trawl.module.Deal;
import io.trawl.testkit.ListedControl;
import io.trawl.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DrainedStopSignsTest {
    private final AtomicLong turns = new AtomicLong(7);
    private final Counters counters = new Counters();
    private final ManualTime time = ManualTime.standing();

    @BeforeEach
    void twoPiecesOfWorkAreInFlight() {
        counters.accepted(2);
    }

    private DrainedStopSigns reading(boolean signed) {
        return new DrainedStopSigns(
                new ListedControl().read(new StopSign(Optional.empty(), 3, signed, Instant.EPOCH)), turns::get, counters, time);
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
        assertThat(signs.deals()).as("the time stays").containsExactly(Deal.done("stop/*", 3, Duration.ofMillis(70), 2));
    }

    @Test
    void aResetSignIsNotHandled() {
        DrainedStopSigns signs = reading(false);
        turns.set(8);
        assertThat(signs.deals()).isEmpty();
    }
}
