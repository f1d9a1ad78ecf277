package io.trawl.coordinator.definition;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.Schedule;
import io.trawl.model.InvalidValueException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;

/**
 * The firings of a schedule: five fields as in crontab(5), in a time zone. A local time that is skipped when summer
 * time begins does not fire on that day. Immutable and thread-safe.
 */
public final class CronSchedule {
    private final ExecutionTime times;
    private final ZoneId zone;

    private CronSchedule(ExecutionTime times, ZoneId zone) {
        this.times = times;
        this.zone = zone;
    }

    /** @throws InvalidValueException if the expression or the zone is not valid */
    public static CronSchedule of(Schedule schedule) {
        return new CronSchedule(times(schedule.cron()), zone(schedule.zone()));
    }

    /** @throws InvalidValueException if it is not five fields of crontab(5) */
    static ExecutionTime times(String cron) {
        CronParser parser = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));
        try {
            return ExecutionTime.forCron(parser.parse(cron).validate());
        } catch (IllegalArgumentException e) {
            throw new InvalidValueException("schedule.cron", cron,
                    "minute, hour, day of the month, month and day of the week as in crontab(5), such as 0 3 * * *");
        }
    }

    /** @throws InvalidValueException if the zone is unknown */
    static ZoneId zone(String id) {
        try {
            return ZoneId.of(id);
        } catch (DateTimeException e) {
            throw new InvalidValueException("schedule.zone", id, "a time zone such as UTC or Europe/Berlin");
        }
    }

    /** The first firing after a moment; empty if there are no more. */
    public Optional<Instant> next(Instant after) {
        return times.nextExecution(after.atZone(zone)).map(ZonedDateTime::toInstant);
    }

    /**
     * Caches the next firing of one crawl's schedule until the schedule or the handled firing changes. Not thread-safe.
     */
    public static final class ScheduleTimer {
        private Optional<Schedule> schedule = Optional.empty();
        private Optional<Instant> after = Optional.empty();
        private Optional<Instant> next = Optional.empty();

        /** Whether the schedule has fired since the last handled firing; several missed firings count as one. */
        public boolean due(CrawlStatus status, Instant now) {
            if (!schedule.equals(status.definition().schedule()) || !after.equals(status.scheduledUntil())) {
                schedule = status.definition().schedule();
                after = status.scheduledUntil();
                // A schedule that cannot be read never fires, and is reported once.
                next = Optional.empty();
                next = schedule.flatMap(s -> after.flatMap(moment -> CronSchedule.of(s).next(moment)));
            }
            return next.filter(firing -> !now.isBefore(firing)).isPresent();
        }
    }
}
