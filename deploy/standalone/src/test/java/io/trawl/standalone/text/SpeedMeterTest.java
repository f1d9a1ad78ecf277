package io.trawl.standalone.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SpeedMeterTest {
    @Test
    void theSpeedIsThatOfTheLastTenSeconds() {
        SpeedMeter speed = new SpeedMeter();
        assertThat(speed.perSecond()).isZero();
        for (int second = 0; second <= 60; second++) {
            speed.note(Duration.ofSeconds(second).toNanos(), second < 30 ? second : 30 + (second - 30) * 5L);
        }
        assertThat(speed.perSecond()).isEqualTo(5);
    }
}
