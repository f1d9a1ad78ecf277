package io.trawl.process;

import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.FieldRules;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.Temporal;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads a text as a date or as a time.
 *
 * @param field of the item
 * @param formats patterns of {@link DateTimeFormatter}, the first that fits is taken; empty: ISO 8601 and the dates of HTTP
 * @param locale the language of names of months and days; empty: English
 * @param zone of times that name none; empty: UTC
 */
public record DateField(String field, List<String> formats, Optional<String> locale, Optional<String> zone) {
    private static final int MOST_FORMATS = 20;
    private static final int LONGEST = 100;
    private static final List<DateTimeFormatter> STANDARD = List.of(DateTimeFormatter.ISO_DATE_TIME,
            DateTimeFormatter.ISO_LOCAL_DATE,
            DateTimeFormatter.RFC_1123_DATE_TIME);

    /** @throws InvalidValueException if the field is missing */
    @SuppressWarnings("ConstantValue")
    public DateField {
        FieldRules.present("field", field);
        formats = formats == null ? List.of() : List.copyOf(formats);
        locale = locale == null ? Optional.empty() : locale;
        zone = zone == null ? Optional.empty() : zone;
    }

    /**
     * The function on texts: a {@link LocalDate}, or an {@link java.time.Instant}. It throws {@link DateTimeException} for a text that no format reads.
     *
     * @throws InvalidValueException if a format, the locale or the zone cannot be read
     */
    public Function<String, Temporal> reader() {
        Locale known = locale.isPresent() ? Locales.of("date.locale", locale) : Locale.ENGLISH;
        ZoneId here = localZone();
        if (formats.size() > MOST_FORMATS) {
            throw new InvalidValueException("date.formats", Integer.toString(formats.size()), "at most " + MOST_FORMATS);
        }
        List<DateTimeFormatter> formatters = new ArrayList<>();
        for (int i = 0; i < formats.size(); i++) {
            formatters.add(formatter(i, known));
        }
        List<DateTimeFormatter> all = formatters.isEmpty() ? STANDARD : formatters;
        return text -> read(text.strip(), all, here);
    }

    private DateTimeFormatter formatter(int place, Locale known) {
        try {
            return new DateTimeFormatterBuilder().parseCaseInsensitive().appendPattern(formats.get(place)).toFormatter(known);
        } catch (IllegalArgumentException e) {
            throw new InvalidValueException("date.formats[" + place + "]", formats.get(place),
                    "a pattern of dates such as d. MMMM yyyy or yyyy-MM-dd HH:mm");
        }
    }

    private ZoneId localZone() {
        try {
            return zone.isEmpty() ? ZoneOffset.UTC : ZoneId.of(zone.get());
        } catch (DateTimeException e) {
            throw new InvalidValueException("date.zone", zone.orElse(""), "a time zone such as Europe/Berlin");
        }
    }

    private Temporal read(String text, List<DateTimeFormatter> formatters, ZoneId here) {
        for (DateTimeFormatter formatter : formatters) {
            try {
                return meant(formatter.parseBest(text.substring(0, Math.min(text.length(), LONGEST)), ZonedDateTime::from,
                        OffsetDateTime::from, LocalDateTime::from, LocalDate::from), here);
            } catch (DateTimeException e) {
                // The next one may fit.
            }
        }
        throw new DateTimeException(
                field + " is no date" + (formats.isEmpty() ? "" : " of the formats " + String.join(", ", formats)));
    }

    private static Temporal meant(TemporalAccessor read, ZoneId here) {
        return switch (read) {
            case ZonedDateTime zoned -> zoned.toInstant();
            case OffsetDateTime offset -> offset.toInstant();
            case LocalDateTime local -> local.atZone(here).toInstant();
            default -> LocalDate.from(read);
        };
    }
}
