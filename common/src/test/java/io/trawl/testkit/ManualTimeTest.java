package io.trawl.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ManualTimeTest {
    @Test
    void aPauseLastsUntilTheClockHasMovedPastIt() throws Exception {
        ManualTime time = ManualTime.standing();
        CountDownLatch over = new CountDownLatch(1);
        Thread sleeper = Thread.startVirtualThread(() -> {
            try {
                time.pause(Duration.ofSeconds(2));
                over.countDown();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        time.awaitPausing(1);
        time.advance(Duration.ofSeconds(1));
        assertThat(time.pausing()).isOne();
        assertThat(over.getCount()).isOne();
        time.advance(Duration.ofSeconds(1));
        assertThat(over.await(10, TimeUnit.SECONDS)).isTrue();
        sleeper.join();
        assertThat(time.pausing()).isZero();
    }

    @Test
    void bothClocksMoveTogetherAndOnlyByAdvance() {
        ManualTime time = ManualTime.standing();
        Instant before = time.now();
        long nanos = time.nanos();
        assertThat(time.now()).isEqualTo(before);
        time.advance(Duration.ofMillis(1500));
        assertThat(Duration.between(before, time.now())).isEqualTo(Duration.ofMillis(1500));
        assertThat(time.nanos() - nanos).isEqualTo(1_500_000_000);
    }

    @Test
    void flowingTimeIsMovedByPauses() throws Exception {
        ManualTime time = ManualTime.flowing();
        Instant before = time.now();
        time.pause(Duration.ofHours(3));
        time.pause(Duration.ZERO);
        assertThat(Duration.between(before, time.now())).isEqualTo(Duration.ofHours(3));
        assertThat(time.pauses()).containsExactly(Duration.ofHours(3), Duration.ZERO);
    }

    @Test
    void anInterruptEndsAPause() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> ManualTime.standing().pause(Duration.ofSeconds(1)))
                .isInstanceOf(InterruptedException.class);
    }
}
