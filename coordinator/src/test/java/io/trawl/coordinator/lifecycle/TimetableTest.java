package io.trawl.coordinator.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.control.Schedule;
import io.trawl.coordinator.definition.CronSchedule;
import io.trawl.coordinator.definition.CronSchedule.ScheduleTimer;
import io.trawl.model.CrawlRun;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimetableTest {
    @ParameterizedTest(name = "{0} in {1} after {2}")
    @CsvSource({"0 3 * * *, UTC, 2026-11-22T00:00:00Z, 2026-11-22T03:00:00Z",
            "0 3 * * *, UTC, 2026-11-22T03:00:00Z, 2026-11-23T03:00:00Z",
            "0 3 * * *, Europe/Berlin, 2026-11-22T00:00:00Z, 2026-11-22T02:00:00Z",
            "0 3 * * *, Europe/Berlin, 2026-07-22T02:00:00Z, 2026-07-23T01:00:00Z",
            "*/15 * * * 1-5, UTC, 2026-11-21T12:00:00Z, 2026-11-23T00:00:00Z",
            "0 0 29 2 *, UTC, 2026-11-22T00:00:00Z, 2028-02-29T00:00:00Z"})
    void theNextFiringIsByTheClockOfItsZone(String cron, String zone, Instant after, Instant next) {
        assertThat(CronSchedule.of(new Schedule(cron, zone)).next(after)).contains(next);
    }

    @Test
    void aTimeThatTheClockLeavesOutDoesNotFireOnThatDay() {
        CronSchedule table = CronSchedule.of(new Schedule("30 2 * * *", "Europe/Berlin"));
        assertThat(table.next(Instant.parse("2026-03-28T12:00:00Z"))).contains(Instant.parse("2026-03-30T00:30:00Z"));
    }

    @Test
    void aDateThatNeverComesNeverFires() {
        assertThat(CronSchedule.of(new Schedule("0 0 31 2 *", "UTC")).next(Instant.EPOCH)).isEmpty();
    }

    @Test
    void allMissedFiringsAreOneFiring() {
        Instant defined = Instant.parse("2026-11-22T00:00:00Z");
        CrawlStatus status = CrawlStatus.of(CrawlRun.parse("docs/1"), 1,
                Json.read("{\"schedule\":{\"cron\":\"0 3 * * *\"}}".getBytes(StandardCharsets.UTF_8),
                        CrawlDefinition.class),
                CrawlState.STOPPED).withScheduledUntil(Optional.of(defined));
        ScheduleTimer scheduleTimer = new ScheduleTimer();
        assertThat(scheduleTimer.due(status, defined.plus(Duration.ofHours(2)))).isFalse();
        Instant late = defined.plus(Duration.ofDays(5));
        assertThat(scheduleTimer.due(status, late)).isTrue();
        assertThat(scheduleTimer.due(status.withScheduledUntil(Optional.of(late)), late)).isFalse();
        assertThat(scheduleTimer.due(status.withScheduledUntil(Optional.of(late)), late.plus(Duration.ofHours(3))))
                .isTrue();
    }
}
