package io.trawl.coordinator.definition;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.field.CronFieldName;
import com.cronutils.model.field.expression.Always;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.definition.Schedule;
import io.trawl.model.InvalidValueException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Map;
import java.util.Optional;

/**
 * The firings of a schedule: five fields as in crontab(5), or one of its nicknames, in a time zone. When the clock
 * changes it follows cron(8): local times that are skipped fire once, right after the gap, and local times that are
 * repeated fire the first time only. A schedule of every hour goes by the clock: it has no firing for what is skipped,
 * and two for what is repeated. Immutable and thread-safe.
 */
public final class CronSchedule {
    private static final Map<String, String> NICKNAMES = Map.of("@yearly", "0 0 1 1 *", "@annually", "0 0 1 1 *",
            "@monthly", "0 0 1 * *", "@weekly", "0 0 * * 0", "@daily", "0 0 * * *", "@midnight", "0 0 * * *", "@hourly",
            "0 * * * *");
    /** The year before a leap year: each date that ever comes follows within some years. */
    private static final ZonedDateTime BEFORE_ALL_DATES = ZonedDateTime.of(1999, 12, 31, 0, 0, 0, 0, ZoneOffset.UTC);
    /** Always asked in a zone without changes: the library skips what falls into a gap. */
    private final ExecutionTime times;
    private final boolean everyHour;
    private final ZoneRules rules;

    private CronSchedule(Cron cron, ZoneId zone) {
        this.times = ExecutionTime.forCron(cron);
        this.everyHour = cron.retrieve(CronFieldName.HOUR).getExpression() instanceof Always;
        this.rules = zone.getRules();
    }

    /** @throws InvalidValueException if the expression or the zone is not valid */
    public static CronSchedule of(Schedule schedule) {
        return new CronSchedule(cron(schedule.cron()), zone(schedule.zone()));
    }

    /** @throws InvalidValueException if it is neither five fields of crontab(5) nor a nickname, or no date has them */
    static Cron cron(String text) {
        CronParser parser = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));
        Cron cron;
        try {
            cron = parser.parse(NICKNAMES.getOrDefault(text, text)).validate();
        } catch (IllegalArgumentException e) {
            throw new InvalidValueException("schedule.cron", text,
                    "minute, hour, day of the month, month and day of the week as in crontab(5), such as 0 3 * * *,"
                            + " or @hourly, @daily, @weekly, @monthly, @yearly");
        }
        if (ExecutionTime.forCron(cron).nextExecution(BEFORE_ALL_DATES).isEmpty()) {
            throw new InvalidValueException("schedule.cron", text, "a date that comes in some year");
        }
        return cron;
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
        return everyHour ? byTheClock(after) : onceForEachLocalTime(after);
    }

    private Optional<Instant> onceForEachLocalTime(Instant after) {
        Optional<ZonedDateTime> local = times
                .nextExecution(LocalDateTime.ofInstant(after, rules.getOffset(after)).atZone(ZoneOffset.UTC));
        Optional<Instant> firing = local.map(this::instant);
        while (firing.filter(moment -> !moment.isAfter(after)).isPresent()) { // repeated local times
            local = local.flatMap(times::nextExecution);
            firing = local.map(this::instant);
        }
        return firing;
    }

    /** The end of the gap for a time that is skipped, the first of two moments for one that is repeated. */
    private Instant instant(ZonedDateTime time) {
        LocalDateTime local = time.toLocalDateTime();
        return Optional.ofNullable(rules.getTransition(local)).filter(ZoneOffsetTransition::isGap)
                .map(ZoneOffsetTransition::getInstant).orElseGet(() -> local.toInstant(rules.getOffset(local)));
    }

    private Optional<Instant> byTheClock(Instant after) {
        Optional<ZoneOffsetTransition> change = Optional.ofNullable(rules.nextTransition(after));
        Optional<Instant> firing = times.nextExecution(after.atZone(rules.getOffset(after)))
                .map(ZonedDateTime::toInstant);
        while (change.isPresent() && firing.isPresent() && !firing.get().isBefore(change.get().getInstant())) {
            Instant changed = change.get().getInstant();
            // A firing at the very moment of the change counts, and the library gives those after a minute only.
            firing = times.nextExecution(changed.atZone(change.get().getOffsetAfter()).minusMinutes(1))
                    .map(ZonedDateTime::toInstant);
            change = Optional.ofNullable(rules.nextTransition(changed));
        }
        return firing;
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

        /** How long after {@link #due} was asked the schedule fires, if it does. */
        public Optional<Duration> left(Instant now) {
            return next.map(firing -> Duration.between(now, firing));
        }
    }
}
