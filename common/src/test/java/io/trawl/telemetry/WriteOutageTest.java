package io.trawl.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.testkit.ManualTime;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WriteOutageTest {
    private static final Optional<String> WHY = Optional.of("each transaction fails");
    private final ManualTime time = ManualTime.standing();
    private final WriteOutage outage = new WriteOutage(Duration.ofSeconds(6), time);

    private void seconds(int seconds, boolean waiting, boolean others) {
        for (int i = 0; i < seconds; i++) {
            time.advance(Duration.ofSeconds(1));
            outage.look(waiting, () -> others);
        }
    }

    @Test
    void aProcessThatCannotWriteForALeaseLeavesItsPartitionsUntilAWriteSucceeds() {
        outage.report("writer", WHY);
        seconds(6, true, true);
        assertThat(outage.leaves()).isFalse();
        seconds(1, true, true);
        assertThat(outage.leaves()).isTrue();
        assertThat(outage.reason()).isEqualTo(WHY);
        outage.report("writer", Optional.empty());
        assertThat(outage.leaves()).isFalse();
        assertThat(outage.reason()).isEmpty();
    }

    @Test
    void anOutageOfAllOfKafkaKeepsThePartitionsAndTheTimeBeginsWhenKafkaAnswers() {
        outage.report("writer", WHY);
        seconds(60, false, true);
        assertThat(outage.leaves()).isFalse();
        seconds(6, true, true);
        assertThat(outage.leaves()).as("a moment after Kafka is back").isFalse();
    }

    @Test
    void aProcessKeepsItsPartitionsWhileNoOtherCouldServeThem() {
        outage.report("writer", WHY);
        seconds(60, true, false);
        assertThat(outage.leaves()).isFalse();
        seconds(1, true, true);
        assertThat(outage.leaves()).isTrue();
    }

    @Test
    void aLeaderYieldsForALeaseAndNotAgainWithinTenMinutes() {
        outage.report("writer", WHY);
        assertThat(outage.yields()).isFalse();
        seconds(7, true, true);
        assertThat(outage.yields()).isTrue();
        outage.report("writer", Optional.empty());
        seconds(5, false, true);
        assertThat(outage.yields()).isTrue();
        seconds(1, false, true);
        assertThat(outage.yields()).isFalse();
        outage.report("next writer", WHY);
        seconds(590, true, true);
        assertThat(outage.yields()).isFalse();
        seconds(10, true, true);
        assertThat(outage.yields()).isTrue();
    }
}
