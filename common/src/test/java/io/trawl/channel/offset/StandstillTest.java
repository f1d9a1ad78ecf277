package io.trawl.channel.offset;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.module.StageState;
import io.trawl.module.StageState.Dependency;
import io.trawl.module.StageState.Phase;
import io.trawl.module.StageState.WaitingFor;
import io.trawl.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StandstillTest {
    private final ManualTime time = ManualTime.standing();
    private final Standstill standstill = new Standstill(time);

    @Test
    void aLoopThatMakesNoProgressForTenSecondsWaitsForAnAnswer() {
        standstill.progress();
        time.advance(Duration.ofSeconds(9));
        assertThat(standstill.of(Phase.RUNNING)).isEqualTo(Phase.RUNNING);
        time.advance(Duration.ofSeconds(2));
        assertThat(standstill.of(Phase.RUNNING)).isInstanceOfSatisfying(WaitingFor.class, waiting -> {
            assertThat(waiting.dependency()).isEqualTo(Dependency.ANSWER);
            assertThat(waiting.detail().orElse("")).startsWith("nothing has been handled for 11 s: ");
        });
        standstill.progress();
        assertThat(standstill.of(Phase.RUNNING)).isEqualTo(Phase.RUNNING);
    }

    @Test
    void aLoopWhosePollsBringNothingWaitsOnlyIfRecordsDo() {
        emptyTurns(11, false);
        assertThat(standstill.of(Phase.RUNNING)).isEqualTo(Phase.RUNNING);
        emptyTurns(11, true);
        assertThat(standstill.of(Phase.RUNNING)).isInstanceOf(WaitingFor.class);
        standstill.handled(true, true, () -> true);
        assertThat(standstill.of(Phase.RUNNING)).isEqualTo(Phase.RUNNING);
    }

    /** Each turn takes five seconds to settle what it has, which do not count, and a second to poll nothing. */
    private void emptyTurns(int turns, boolean waits) {
        for (int i = 0; i < turns; i++) {
            standstill.handling();
            time.advance(Duration.ofSeconds(5));
            standstill.handled(false, true, () -> waits);
            time.advance(Duration.ofSeconds(1));
        }
    }

    @Test
    void whatWaitsIsKnownFromTheLastPoll() {
        emptyTurns(1, false);
        for (int turn = 0; turn < 60; turn++) {
            standstill.handled(false, false, () -> {
                throw new AssertionError("it did not poll");
            });
            time.advance(Duration.ofSeconds(1));
        }
        assertThat(standstill.of(Phase.RUNNING)).isEqualTo(Phase.RUNNING);
        emptyTurns(1, true);
        time.advance(Duration.ofSeconds(10));
        standstill.handled(false, false, () -> false);
        assertThat(standstill.of(Phase.RUNNING)).isInstanceOf(WaitingFor.class);
    }

    @Test
    void aHandlerTakesItsTimeAndAKnownReasonStays() {
        standstill.handling();
        time.advance(Duration.ofMinutes(10));
        assertThat(standstill.of(Phase.RUNNING)).isEqualTo(Phase.RUNNING);
        standstill.progress();
        time.advance(Duration.ofMinutes(10));
        StageState known = new WaitingFor(Dependency.OUTPUT_FOLDER);
        assertThat(standstill.of(known)).isEqualTo(known);
    }
}
