package io.trawl.extract;

import io.trawl.codec.TimestampFormat;
import io.trawl.model.InvalidValueException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
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
final class DateText {
    private static final int LONGEST = 200;
    /** ISO 8601, as loosely as it is used: with a blank for the T, with and without seconds, fraction and offset. */
    private static final DateTimeFormatter ISO = new DateTimeFormatterBuilder().appendPattern("uuuu-MM-dd['T'][ ]HH:mm[:ss]")
            .optionalStart().appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true).optionalEnd().appendPattern("[ ][XXX][XX][X]")
            .toFormatter(Locale.ROOT);
    private static final List<DateTimeFormatter> USUAL = List.of(DateTimeFormatter.ISO_LOCAL_DATE, ISO,
            DateTimeFormatter.RFC_1123_DATE_TIME);
    private final List<DateTimeFormatter> formats;
    private final String rule;

    private DateText(List<DateTimeFormatter> formats, String rule) {
        this.formats = formats;
        this.rule = rule;
    }

    /** A format of the JDK. @throws InvalidValueException if it is none */
    static DateTimeFormatter format(String pattern, Locale locale) {
        try {
            return new DateTimeFormatterBuilder().parseCaseInsensitive().appendPattern(pattern).toFormatter(locale);
        } catch (IllegalArgumentException e) {
            throw new InvalidValueException("", pattern, "a format of dates, such as d. MMMM uuuu or dd/MM/uuuu HH:mm");
        }
    }

    /** Dates in these formats or in a usual one. */
    static DateText of(List<String> patterns, List<DateTimeFormatter> own, Locale locale) {
        List<DateTimeFormatter> all = new ArrayList<>(own);
        all.addAll(USUAL);
        return new DateText(all, "a date in ISO 8601 or RFC 1123"
                + patterns.stream().map(pattern -> " or as " + pattern).collect(Collectors.joining()) + " in the locale "
                + locale.toLanguageTag());
    }

    /**
     * A date as {@code 2026-01-02}, a time as {@code 2026-01-02T03:04:05.000Z}; a time without an offset is one of UTC.
     *
     * @throws InvalidValueException if no format fits
     */
    String iso(String text) {
        String written = text.strip();
        for (DateTimeFormatter format : written.length() > LONGEST ? List.<DateTimeFormatter>of() : formats) {
            try {
                TemporalAccessor read = format.parseBest(written, ZonedDateTime::from, LocalDateTime::from, LocalDate::from);
                int year = read.get(ChronoField.YEAR);
                if (year >= 1 && year <= 9998) {
                    return switch (read) {
                        case ZonedDateTime time -> TimestampFormat.format(time.toInstant());
                        case LocalDateTime time -> TimestampFormat.format(time.toInstant(ZoneOffset.UTC));
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
