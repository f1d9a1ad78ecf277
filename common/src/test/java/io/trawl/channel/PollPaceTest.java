package io.trawl.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PollPaceTest {
    private final ManualTime time = ManualTime.standing();
    private final PollPace pace = new PollPace(time);

    @Test
    void whoHasHadNothingToDoForSecondsPollsLongerUntilThereIsSomething() {
        Duration usual = pace.next(false);
        time.advance(Duration.ofSeconds(4));
        assertThat(pace.next(false)).isEqualTo(usual);
        time.advance(Duration.ofSeconds(1));
        assertThat(pace.next(false)).isGreaterThan(usual);
        assertThat(pace.next(true)).isEqualTo(usual);
        time.advance(Duration.ofSeconds(4));
        assertThat(pace.next(false)).isEqualTo(usual);
    }
}
