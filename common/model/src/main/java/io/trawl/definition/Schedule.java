package io.trawl.definition;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * When the leader starts a new run of a crawl.
 *
 * @param cron minute, hour, day of the month, month, day of the week, as in crontab(5): {@code 0 3 * * *}, or a
 * nickname ({@code @daily})
 * @param zone an id of the time zone database
 */
public record Schedule(@JsonProperty("cron") String cron, @JsonProperty("zone") String zone) {
    /** The default time zone. */
    public static final String DEFAULT_ZONE = "UTC";

    /** Fills in the default. */
    public Schedule {
        cron = cron == null ? "" : cron;
        zone = zone == null ? DEFAULT_ZONE : zone;
    }
}
