package io.trawl.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.control.ControlRecord.StopSign;
import io.trawl.testkit.ListedControl;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DealtByTurnsTest {
    private final AtomicLong turns = new AtomicLong(7);

    private DealtByTurns reading(boolean signed) {
        return new DealtByTurns(
                new ListedControl().read(new StopSign(Optional.empty(), 3, signed, Instant.EPOCH)), turns::get);
    }

    @Test
    void aSignIsDealtWithWhenTheTurnInWhichItWasReadIsOver() {
        DealtByTurns dealt = reading(true);
        assertThat(dealt.deals()).as("something may be in hand").isEmpty();
        turns.set(8);
        assertThat(dealt.deals()).isEqualTo(Map.of("stop/*", 3L));
    }

    @Test
    void aSignThatWasResetIsNotDealtWith() {
        DealtByTurns dealt = reading(false);
        turns.set(8);
        assertThat(dealt.deals()).isEmpty();
    }
}
