package io.trawl.value;

import io.trawl.model.InvalidValueException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Reads dates and times in some formats, and writes them in ISO 8601. Immutable and thread-safe. */
public final class DateText {
    private static final int LONGEST = 200;
    /** ISO 8601, as loosely as it is used: with a blank for the T, with and without seconds, fraction and offset. */
    private static final DateTimeFormatter ISO = new DateTimeFormatterBuilder()
            .appendPattern("uuuu-MM-dd['T'][ ]HH:mm[:ss]").optionalStart()
            .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true).optionalEnd().appendPattern("[ ][XXX][XX][X]")
            .toFormatter(Locale.ROOT);
    private static final List<DateTimeFormatter> USUAL = List.of(DateTimeFormatter.ISO_LOCAL_DATE, ISO,
            DateTimeFormatter.RFC_1123_DATE_TIME);
    private final List<DateTimeFormatter> formats;
    private final String rule;
    private final ZoneId zone;

    private DateText(List<DateTimeFormatter> formats, String rule, ZoneId zone) {
        this.formats = formats;
        this.zone = zone;
        this.rule = rule;
    }

    /** A format of the JDK. @param field of which it is the value @throws InvalidValueException if it is none */
    public static DateTimeFormatter format(String field, String pattern, Locale locale) {
        try {
            return new DateTimeFormatterBuilder().parseCaseInsensitive().appendPattern(pattern).toFormatter(locale);
        } catch (IllegalArgumentException e) {
            throw new InvalidValueException(field, pattern,
                    "a format of dates, such as d. MMMM uuuu or dd/MM/uuuu HH:mm");
        }
    }

    /** Dates in these formats or in a usual one. @param zone of times without an offset */
    public static DateText of(List<String> patterns, List<DateTimeFormatter> own, Locale locale, ZoneId zone) {
        List<DateTimeFormatter> all = new ArrayList<>(own);
        all.addAll(USUAL);
        return new DateText(all,
                "a date in ISO 8601 or RFC 1123"
                        + patterns.stream().map(pattern -> " or as " + pattern).collect(Collectors.joining())
                        + " in the locale " + locale.toLanguageTag(),
                zone);
    }

    /**
     * A date as {@code 2026-01-02}, a time as {@code 2026-01-02T03:04:05.000Z}; a time without an offset is one of the
     * zone.
     *
     * @throws InvalidValueException if no format fits
     */
    public String iso(String text) {
        String written = text.strip();
        for (DateTimeFormatter format : written.length() > LONGEST ? List.<DateTimeFormatter>of() : formats) {
            try {
                TemporalAccessor read = format.parseBest(written, ZonedDateTime::from, LocalDateTime::from,
                        LocalDate::from);
                int year = read.get(ChronoField.YEAR);
                if (year >= 1 && year <= 9998) {
                    return switch (read) {
                        case ZonedDateTime time -> TimestampFormat.format(time.toInstant());
                        case LocalDateTime time -> TimestampFormat.format(time.atZone(zone).toInstant());
                        default -> read.toString();
                    };
                }
            } catch (DateTimeException e) {
                // Not in this format: the next one may fit.
            }
        }
        throw new InvalidValueException("", text, rule);
    }
}
