package io.trawl.coordinator.lifecycle;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.trawl.control.Schedule;
import io.trawl.model.InvalidValue;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;

/**
 * When a schedule fires: five fields as in crontab(5), by the clock of a zone. A time that this clock leaves out when summer time begins does not fire
 * on that day. Immutable and thread-safe.
 */
final class Timetable {
    private final ExecutionTime times;
    private final ZoneId zone;

    private Timetable(ExecutionTime times, ZoneId zone) {
        this.times = times;
        this.zone = zone;
    }

    /** @throws InvalidValue if the expression or the zone cannot be read */
    static Timetable of(Schedule schedule) {
        return new Timetable(times(schedule.cron()), zone(schedule.zone()));
    }

    /** @throws InvalidValue if it is not five fields of crontab(5) */
    static ExecutionTime times(String cron) {
        CronParser parser = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));
        try {
            return ExecutionTime.forCron(parser.parse(cron).validate());
        } catch (IllegalArgumentException e) {
            throw new InvalidValue("schedule.cron", cron,
                    "minute, hour, day of the month, month and day of the week as in crontab(5), such as 0 3 * * *");
        }
    }

    /** @throws InvalidValue if there is no such zone */
    static ZoneId zone(String id) {
        try {
            return ZoneId.of(id);
        } catch (DateTimeException e) {
            throw new InvalidValue("schedule.zone", id, "a time zone such as UTC or Europe/Berlin");
        }
    }

    /** The first firing after a moment; empty if there is none any more. */
    Optional<Instant> next(Instant after) {
        return times.nextExecution(after.atZone(zone)).map(ZonedDateTime::toInstant);
    }
}
