package io.trawl.coordinator.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.definition.Schedule;
import io.trawl.coordinator.definition.CronSchedule;
import io.trawl.coordinator.definition.CronSchedule.ScheduleTimer;
import io.trawl.model.CrawlRun;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest(name = "{0} in {1} after {2}")
    @CsvSource({"30 2 * * *, Europe/Berlin, 2026-03-28T12:00:00Z, 2026-03-29T01:00:00Z 2026-03-30T00:30:00Z",
            "'0 2,3 * * *', Europe/Berlin, 2026-03-28T12:00:00Z, 2026-03-29T01:00:00Z 2026-03-30T00:00:00Z",
            "*/20 2 * * *, Europe/Berlin, 2026-03-28T12:00:00Z, 2026-03-29T01:00:00Z 2026-03-30T00:00:00Z",
            "30 2 * * *, Europe/Berlin, 2026-10-24T12:00:00Z, 2026-10-25T00:30:00Z 2026-10-26T01:30:00Z",
            "30 2 * * *, Europe/Berlin, 2026-10-25T01:10:00Z, 2026-10-26T01:30:00Z 2026-10-27T01:30:00Z",
            "0 * * * *, Europe/Berlin, 2026-03-29T00:00:00Z, 2026-03-29T01:00:00Z 2026-03-29T02:00:00Z",
            "30 * * * *, Europe/Berlin, 2026-03-29T00:00:00Z, 2026-03-29T00:30:00Z 2026-03-29T01:30:00Z",
            "30 * * * *, Europe/Berlin, 2026-10-25T00:00:00Z, 2026-10-25T00:30:00Z 2026-10-25T01:30:00Z",
            "0 * * * *, Europe/Berlin, 2026-10-25T00:00:00Z, 2026-10-25T01:00:00Z 2026-10-25T02:00:00Z",
            "0 0 * * *, America/Havana, 2026-03-07T12:00:00Z, 2026-03-08T05:00:00Z 2026-03-09T04:00:00Z",
            "@daily, Africa/Cairo, 2026-04-23T12:00:00Z, 2026-04-23T22:00:00Z 2026-04-24T21:00:00Z",
            "@hourly, Africa/Cairo, 2026-04-23T21:00:00Z, 2026-04-23T22:00:00Z 2026-04-23T23:00:00Z",
            "30 2 29 3 *, Europe/Berlin, 2026-01-01T00:00:00Z, 2026-03-29T01:00:00Z 2027-03-29T00:30:00Z"})
    void whenTheClockChangesWhatItSkipsFiresOnceAfterwardsAndWhatItRepeatsOnce(String cron, String zone, Instant after,
            String next) {
        assertThat(firings(cron, zone, after).limit(2)).map(Instant::toString).containsExactly(next.split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"America/Havana", "Africa/Cairo", "America/Santiago", "Asia/Beirut", "Atlantic/Azores",
            "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Auckland", "Asia/Jerusalem"})
    void aDailyScheduleFiresOnEveryDayAndRightAfterTheGap(String zone) {
        ZoneId id = ZoneId.of(zone);
        Instant begin = Instant.parse("2026-01-01T12:00:00Z");
        ZoneOffsetTransition gap = Stream
                .iterate(id.getRules().nextTransition(begin), last -> id.getRules().nextTransition(last.getInstant()))
                .filter(ZoneOffsetTransition::isGap).findFirst().orElseThrow();
        LocalTime skipped = gap.getDateTimeBefore().toLocalTime().plusMinutes(15);
        String cron = skipped.getMinute() + " " + skipped.getHour() + " * * *";
        List<Instant> firings = firings(cron, zone, begin).limit(365).toList();
        assertThat(firings).contains(gap.getInstant()).isSorted();
        List<LocalDate> days = firings.stream().map(firing -> firing.atZone(id).toLocalDate()).toList();
        assertThat(days).doesNotHaveDuplicates().last().isEqualTo(days.getFirst().plusDays(364));
    }

    @ParameterizedTest
    @CsvSource({"@yearly, 0 0 1 1 *", "@annually, 0 0 1 1 *", "@monthly, 0 0 1 * *", "@weekly, 0 0 * * 0",
            "@daily, 0 0 * * *", "@midnight, 0 0 * * *", "@hourly, 0 * * * *"})
    void nicknamesStandForFiveFields(String nickname, String fields) {
        Instant after = Instant.parse("2026-11-22T00:00:00Z");
        assertThat(firings(nickname, "UTC", after).limit(3))
                .containsExactlyElementsOf(firings(fields, "UTC", after).limit(3).toList());
    }

    private static Stream<Instant> firings(String cron, String zone, Instant after) {
        CronSchedule schedule = CronSchedule.of(new Schedule(cron, zone));
        return Stream.iterate(schedule.next(after).orElseThrow(), last -> schedule.next(last).orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 0 30 2 *", "0 0 31 2 *", "0 12 31 4,6,9,11 *"})
    void aDateThatNeverComesIsAFault(String cron) {
        assertThatThrownBy(() -> CronSchedule.of(new Schedule(cron, "UTC")))
                .hasMessage("schedule.cron: '" + cron + "' is not valid: a date that comes in some year");
    }

    @Test
    void allMissedFiringsAreOneFiring() {
        Instant defined = Instant.parse("2026-11-22T00:00:00Z");
        CrawlStatus status = CrawlStatus.of(CrawlRun.parse("docs/1"), 1,
                Json.read("{\"schedule\":{\"cron\":\"0 3 * * *\"}}".getBytes(StandardCharsets.UTF_8),
                        CrawlDefinition.class),
                CrawlState.STOPPED).withScheduledUntil(Optional.of(defined));
        ScheduleTimer scheduleTimer = new ScheduleTimer();
        assertThat(scheduleTimer.left(defined)).as("not asked yet").isEmpty();
        assertThat(scheduleTimer.due(status, defined.plus(Duration.ofHours(2)))).isFalse();
        assertThat(scheduleTimer.left(defined.plus(Duration.ofHours(2)))).contains(Duration.ofHours(1));
        Instant late = defined.plus(Duration.ofDays(5));
        assertThat(scheduleTimer.due(status, late)).isTrue();
        assertThat(scheduleTimer.due(status.withScheduledUntil(Optional.of(late)), late)).isFalse();
        assertThat(scheduleTimer.due(status.withScheduledUntil(Optional.of(late)), late.plus(Duration.ofHours(3))))
                .isTrue();
    }
}
