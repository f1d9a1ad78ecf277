package io.trawl.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.api.Counts;
import io.trawl.module.StageState.HoldReason;
import io.trawl.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class BackPressureTest {
    private final AtomicLong waiting = new AtomicLong();
    private final List<Boolean> told = new ArrayList<>();
    private Counts counts = new Counts(1, 1, 0, 0, 0, 1);
    private double meanSize;
    private boolean full;

    @Test
    void itHoldsAboveTheLimitAndResumesBelowFourFifthsOfIt() throws InterruptedException {
        BackPressure pressure = pressure(100, 0);
        assertThat(look(pressure, 100)).isFalse();
        assertThat(look(pressure, 101)).isTrue();
        assertThat(look(pressure, 90)).isTrue();
        assertThat(look(pressure, 80)).isTrue();
        assertThat(look(pressure, 79)).isFalse();
        assertThat(look(pressure, 100)).isFalse();
        assertThat(told).as("told only what changes").containsExactly(true, false);
    }

    @Test
    void bytesCountByTheMeanSizeOfTheAnswers() throws InterruptedException {
        BackPressure pressure = pressure(0, 1_000_000);
        assertThat(look(pressure, 1_000_000)).as("no size is known yet").isFalse();
        meanSize = 10_000;
        assertThat(look(pressure, 100)).isFalse();
        assertThat(look(pressure, 101)).isTrue();
        assertThat(look(pressure, 79)).isFalse();
    }

    @Test
    void theLimitThatIsFullerCounts() {
        BackPressure.Limits limits = new BackPressure.Limits(100, 1000);
        assertThat(limits.fill(50, 40)).isEqualTo(2);
        assertThat(limits.fill(50, 1)).isEqualTo(0.5);
    }

    @Test
    void aLimitThatIsChangedHoldsFromTheNextCheckOn() throws InterruptedException {
        AtomicReference<BackPressure.Limits> limits = new AtomicReference<>(new BackPressure.Limits(100, 0));
        BackPressure pressure = new BackPressure(HoldReason.ANALYZERS, limits::get, waiting::get, () -> meanSize,
                () -> counts, () -> full, told::add, ManualTime.standing());
        assertThat(look(pressure, 50)).isFalse();
        limits.set(new BackPressure.Limits(40, 0));
        assertThat(look(pressure, 50)).isTrue();
        limits.set(new BackPressure.Limits(0, 0));
        assertThat(look(pressure, 50)).isFalse();
    }

    @Test
    void withoutAnAnswerOfTheBrokerTheStateDoesNotChange() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        BackPressure pressure = new BackPressure(HoldReason.ANALYZERS, () -> new BackPressure.Limits(10, 0), () -> {
            if (calls.incrementAndGet() == 2) {
                throw new TimeoutException("no answer");
            }
            return 11;
        }, () -> 0, () -> counts, () -> full, told::add, ManualTime.standing());
        pressure.look();
        pressure.look();
        assertThat(pressure.reason()).isPresent();
        assertThat(told).containsExactly(true);
    }

    @Test
    void itChecksEverySecondAndEndsWhenItIsClosed() throws InterruptedException {
        ManualTime time = ManualTime.standing();
        BackPressure pressure = new BackPressure(HoldReason.ANALYZERS, () -> new BackPressure.Limits(10, 0),
                waiting::get, () -> 0, () -> counts, () -> full, told::add, time);
        pressure.start();
        time.awaitPausing(1);
        waiting.set(11);
        assertThat(pressure.reason()).isEmpty();
        time.advance(Duration.ofSeconds(1));
        await().until(() -> pressure.reason().isPresent());
        time.awaitPausing(1);
        pressure.close();
        await().until(() -> time.pausing() == 0);
    }

    @Test
    void withoutLimitsItNeverAsksTheBroker() throws InterruptedException {
        try (BackPressure pressure = new BackPressure(HoldReason.ANALYZERS, () -> new BackPressure.Limits(0, 0), () -> {
            throw new AssertionError("looked");
        }, () -> 0, () -> counts, () -> full, told::add, ManualTime.standing())) {
            pressure.look();
            assertThat(pressure.reason()).isEmpty();
        }
    }

    @Test
    void aStageThatRestsDoesNotAskTheBrokerUntilItWorksOrHolds() throws InterruptedException {
        counts = new Counts(1, 1, 1, 0, 0, 0);
        BackPressure pressure = pressure(100, 0);
        assertThat(look(pressure, 50)).isFalse();
        assertThat(look(pressure, 200)).as("it rests").isFalse();
        counts = new Counts(2, 2, 2, 0, 0, 0);
        assertThat(look(pressure, 200)).as("it has worked").isTrue();
        assertThat(look(pressure, 79)).as("it holds").isFalse();
        counts = new Counts(3, 3, 2, 0, 0, 1);
        look(pressure, 50);
        assertThat(look(pressure, 200)).as("it works").isTrue();
    }

    @Test
    void itHoldsWhileThereIsNoMemory() throws InterruptedException {
        BackPressure pressure = pressure(100, 0);
        full = true;
        assertThat(look(pressure, 0)).isTrue();
        assertThat(pressure.reason()).hasValue(HoldReason.MEMORY);
        full = false;
        assertThat(look(pressure, 0)).isFalse();
        assertThat(told).containsExactly(true, false);
    }

    @Test
    void aHoldForMemoryMayBecomeOneForAnalyzers() throws InterruptedException {
        BackPressure pressure = pressure(100, 0);
        full = true;
        look(pressure, 200);
        full = false;
        look(pressure, 200);
        assertThat(pressure.reason()).hasValue(HoldReason.ANALYZERS);
        assertThat(told).as("held all the time").containsExactly(true);
    }

    private BackPressure pressure(long records, long bytes) {
        return new BackPressure(HoldReason.ANALYZERS, () -> new BackPressure.Limits(records, bytes), waiting::get,
                () -> meanSize, () -> counts, () -> full, told::add, ManualTime.standing());
    }

    private boolean look(BackPressure pressure, long now) throws InterruptedException {
        waiting.set(now);
        pressure.look();
        return pressure.reason().isPresent();
    }
}
