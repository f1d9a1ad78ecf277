package io.trawl.coordinator.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecordException;
import io.trawl.control.ControlRecord;
import io.trawl.coordinator.definition.CronSchedule.ScheduleTimer;
import io.trawl.coordinator.feed.CrawlEvent;
import io.trawl.coordinator.feed.EventSource;
import io.trawl.coordinator.feed.SeenError;
import io.trawl.coordinator.summary.Totals;
import io.trawl.testkit.DamagedRecords;
import io.trawl.testkit.ListedControl;
import io.trawl.time.Time;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a coordinator does with whatever is in {@code control}, {@code errors} and {@code events}. */
class DamagedControlTest {
    private static final Totals NONE = Totals.NONE;
    private final AtomicInteger read = new AtomicInteger();

    private void readAll(String name, Consumer<byte @Nullable []> reader) {
        DamagedRecords.of(DamagedRecords.recorded(name))
                .forEach(value -> assertThatCode(() -> readOrRefuse(value, reader)).as("%.300s", new String(value))
                        .doesNotThrowAnyException());
        assertThatCode(() -> readOrRefuse(null, reader)).doesNotThrowAnyException();
        assertThat(read.get()).as("records that are still valid").isPositive();
    }

    private void readOrRefuse(byte @Nullable [] value, Consumer<byte @Nullable []> reader) {
        try {
            reader.accept(value);
            read.incrementAndGet();
        } catch (MalformedRecordException e) {
            assertThat(e.getMessage()).doesNotContain("\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"control-crawl", "control-domains", "control-stop-crawl", "control-stop-fleet",
            "control-ends", "control-channels"})
    void aDamagedControlRecordIsEnteredOrRefused(String name) {
        readAll(name, value -> {
            ControlRecord record = Codec.control(value);
            ControlState state = new ControlState(new ListedControl());
            EventSource events = new EventSource("t.events", state::crawl, run -> NONE, _ -> {}, Time.system());
            state.enter(record);
            events.of(List.of(record)).forEach(event -> CrawlEvent.read(events.record(event).value()));
            state.past();
            state.crawls().forEach(crawl -> RunLimit.reached(crawl, NONE, Instant.parse("2026-01-02T03:04:05Z")));
            assertThat(state.nextVersion(record.key())).isPositive();
        });
    }

    @Test
    void aDamagedErrorIsShownOrRefused() {
        readAll("error", value -> assertThat(SeenError.read(value).cause()).hasSizeLessThan(2100));
    }

    @Test
    void aScheduleThatCannotBeReadIsReportedOnceAndNeverFires() {
        var status = (ControlRecord.CrawlStatus) Codec.control(
                new String(DamagedRecords.recorded("control-crawl"), java.nio.charset.StandardCharsets.UTF_8).replace(
                        "\"priority\":2}",
                        "\"priority\":2,\"schedule\":{\"cron\":\"soon\"}},\"scheduledUntil\":\"2026-01-02T03:04:05Z\"")
                        .getBytes(java.nio.charset.StandardCharsets.UTF_8));
        ScheduleTimer timer = new ScheduleTimer();
        assertThatCode(() -> timer.due(status, Instant.parse("2027-01-01T00:00:00Z")))
                .hasMessageContaining("schedule.cron");
        assertThat(timer.due(status, Instant.parse("2027-01-01T00:00:00Z"))).isFalse();
    }
}
