package io.trawl.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.control.ControlRecord.StopSign;
import io.trawl.testkit.ListedControl;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DrainedStopSignsTest {
    private final AtomicLong turns = new AtomicLong(7);

    private DrainedStopSigns reading(boolean signed) {
        return new DrainedStopSigns(
                new ListedControl().read(new StopSign(Optional.empty(), 3, signed, Instant.EPOCH)), turns::get);
    }

    @Test
    void aSignIsHandledWhenTheTurnInWhichItWasReadIsOver() {
        DrainedStopSigns signs = reading(true);
        assertThat(signs.deals()).as("work may be in flight").isEmpty();
        turns.set(8);
        assertThat(signs.deals()).isEqualTo(Map.of("stop/*", 3L));
    }

    @Test
    void aResetSignIsNotHandled() {
        DrainedStopSigns signs = reading(false);
        turns.set(8);
        assertThat(signs.deals()).isEmpty();
    }
}
