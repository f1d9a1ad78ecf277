package io.trawl.coordinator.lifecycle;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.Schedule;
import java.time.Instant;
import java.util.Optional;

/** Knows when the schedule of one crawl fires next; works that out anew only when something has changed. Not thread-safe. */
final class Firings {
    private Optional<Schedule> schedule = Optional.empty();
    private Optional<Instant> after = Optional.empty();
    private Optional<Instant> next = Optional.empty();

    /** Whether the schedule has fired since the crawl dealt with it last; however often it did so, that is one firing. */
    boolean due(CrawlStatus status, Instant now) {
        if (!schedule.equals(status.definition().schedule()) || !after.equals(status.scheduledUntil())) {
            schedule = status.definition().schedule();
            after = status.scheduledUntil();
            next = schedule.flatMap(s -> after.flatMap(moment -> Timetable.of(s).next(moment)));
        }
        return next.filter(firing -> !now.isBefore(firing)).isPresent();
    }
}
