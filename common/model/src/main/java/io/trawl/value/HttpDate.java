package io.trawl.value;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the dates of headers: the three forms of RFC 9110 section 5.6.7, those of RFC 822 and 850 with other zones, and
 * ISO 8601. Pure functions.
 */
public final class HttpDate {
    private static final int LONGEST = 100;
    /** It says nothing that the date does not, and may be wrong for a year of two digits. */
    private static final Pattern WEEKDAY = Pattern.compile("^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*+\\.?,? *+",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern BLANKS = Pattern.compile(" ++");
    private static final Pattern YEAR = Pattern.compile("[0-9]{4}");
    private static final Pattern YEAR_OF_TWO_DIGITS = Pattern
            .compile("[0-9]{1,2}[ -]{0,2}+[A-Za-z]{3}[ -]{0,2}+[0-9]{2}(?![0-9])");
    private static final Pattern ZONE = Pattern.compile(" ?([A-Z]{1,3})$");
    /** RFC 822 section 5. */
    private static final Map<String, String> ZONES = Map.ofEntries(Map.entry("GMT", "+00"), Map.entry("UTC", "+00"),
            Map.entry("UT", "+00"), Map.entry("Z", "+00"), Map.entry("EST", "-05"), Map.entry("EDT", "-04"),
            Map.entry("CST", "-06"), Map.entry("CDT", "-05"), Map.entry("MST", "-07"), Map.entry("MDT", "-06"),
            Map.entry("PST", "-08"), Map.entry("PDT", "-07"));
    private static final String TIME = "[ ]['T'][HH:mm[:ss]][.SSS][ ][XXX][XX][X]";
    private static final String DAY_AND_MONTH = "d[ ][-]MMM[ ][-]";
    private static final DateTimeFormatter DAY_FIRST = formatter(new DateTimeFormatterBuilder()
            .appendPattern(DAY_AND_MONTH).appendValue(ChronoField.YEAR_OF_ERA, 4).appendPattern(TIME));
    private static final DateTimeFormatter ASCTIME = formatter(
            new DateTimeFormatterBuilder().appendPattern("MMM d HH:mm:ss yyyy"));
    private static final DateTimeFormatter ISO = formatter(
            new DateTimeFormatterBuilder().appendPattern("yyyy[-MM[-dd" + TIME + "]]"));

    private HttpDate() {}

    /**
     * The time that a text names: of a date alone its beginning, without a zone in UTC.
     *
     * @param now a year of two digits is less than 50 years ahead
     * @return empty if it is no date
     */
    public static Optional<Instant> parse(String text, Instant now) {
        if (text.length() > LONGEST) {
            return Optional.empty();
        }
        String date = WEEKDAY.matcher(BLANKS.matcher(text.strip()).replaceAll(" ")).replaceFirst("");
        Matcher zone = ZONE.matcher(date.toUpperCase(Locale.ROOT));
        String shifted = zone.find() && ZONES.containsKey(zone.group(1))
                ? date.substring(0, zone.start()) + ZONES.get(zone.group(1))
                : date;
        try {
            return Optional.of(form(shifted, now).parse(shifted, Instant::from));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Each form begins in another way. */
    private static DateTimeFormatter form(String date, Instant now) {
        if (date.isEmpty() || !Character.isDigit(date.charAt(0))) {
            return ASCTIME;
        }
        if (YEAR.matcher(date).lookingAt()) {
            return ISO;
        }
        return YEAR_OF_TWO_DIGITS.matcher(date).lookingAt() ? twoDigits(now) : DAY_FIRST;
    }

    /** Whether a text is a date that has passed. */
    public static boolean isPast(String text, Instant now) {
        return parse(text, now).filter(now::isAfter).isPresent();
    }

    /** Made for each such date, of which there are few: it takes longer to make than to use. */
    private static DateTimeFormatter twoDigits(Instant now) {
        return formatter(new DateTimeFormatterBuilder().appendPattern(DAY_AND_MONTH)
                .appendValueReduced(ChronoField.YEAR_OF_ERA, 2, 2, now.atOffset(ZoneOffset.UTC).getYear() - 50)
                .appendPattern(TIME));
    }

    private static DateTimeFormatter formatter(DateTimeFormatterBuilder pattern) {
        return new DateTimeFormatterBuilder().parseCaseInsensitive().append(pattern.toFormatter(Locale.ENGLISH))
                .parseDefaulting(ChronoField.MONTH_OF_YEAR, 1).parseDefaulting(ChronoField.DAY_OF_MONTH, 1)
                .parseDefaulting(ChronoField.HOUR_OF_DAY, 0).parseDefaulting(ChronoField.MINUTE_OF_HOUR, 0)
                .parseDefaulting(ChronoField.SECOND_OF_MINUTE, 0).parseDefaulting(ChronoField.OFFSET_SECONDS, 0)
                .toFormatter(Locale.ENGLISH);
    }
}
