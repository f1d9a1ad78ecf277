package io.trawl.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PeriodicTaskTest {
    @Test
    void tasksWithOnePeriodAreDoneAtTheSameMomentHoweverLongTheyTake() throws InterruptedException {
        ManualTime time = ManualTime.flowing();
        for (int took : List.of(300, 0, 1, 2_999)) {
            time.advance(Duration.ofMillis(took));
            time.pauseUntilNext(Duration.ofSeconds(1));
            assertThat(Math.floorMod(time.nanos(), Duration.ofSeconds(1).toNanos())).isZero();
        }
        assertThat(time.pauses()).extracting(Duration::toMillis).containsExactly(700L, 1_000L, 999L, 1L);
    }

    @Test
    void itBeginsAtOnceRepeatsOnceInEachPeriodAndEndsWhenItIsClosed() throws InterruptedException {
        ManualTime time = ManualTime.standing();
        AtomicInteger runs = new AtomicInteger();
        PeriodicTask task = new PeriodicTask("test", Duration.ofSeconds(5), time, runs::incrementAndGet);
        assertThat(runs).hasValue(0);
        task.start();
        time.awaitPausing(1);
        assertThat(runs).hasValue(1);
        time.advance(Duration.ofSeconds(4));
        assertThat(runs).hasValue(1);
        time.advance(Duration.ofSeconds(1));
        await().until(() -> runs.get() == 2);
        time.awaitPausing(1);
        task.close();
        await().until(() -> time.pausing() == 0);
        assertThat(runs).hasValue(2);
    }

    @Test
    void itGoesOnAfterAFailure() throws InterruptedException {
        ManualTime time = ManualTime.standing();
        AtomicInteger runs = new AtomicInteger();
        try (PeriodicTask task = new PeriodicTask("test", Duration.ofSeconds(1), time, () -> {
            if (runs.incrementAndGet() < 3) {
                throw new IllegalStateException("the test fails run " + runs);
            }
        })) {
            task.start();
            for (int done = 1; done <= 3; done++) {
                int expected = done;
                await().until(() -> runs.get() == expected);
                time.awaitPausing(1);
                time.advance(Duration.ofSeconds(1));
            }
        }
    }
}
