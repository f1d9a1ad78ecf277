package io.trawl.value;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/** The one written form of times, in records, items, files and answers. Pure functions. */
public final class TimestampFormat {
    private static final DateTimeFormatter FORM = new DateTimeFormatterBuilder().appendInstant(3)
            .toFormatter(Locale.ROOT);

    private TimestampFormat() {}

    /**
     * RFC 3339 in UTC with exactly three digits of fraction, such as {@code 2026-01-02T03:04:05.000Z}; what is finer is
     * cut.
     */
    public static String format(Instant time) {
        return FORM.format(time);
    }
}
