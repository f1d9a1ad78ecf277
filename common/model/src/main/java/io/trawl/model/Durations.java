package io.trawl.model;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations in text form: {@code 250ms}, {@code 2s}, {@code 1.5m}, {@code 2h}, {@code 7d}; {@code 0} needs no unit. */
public final class Durations {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,6})?)(ms|s|m|h|d)");

    /** The rule for texts. */
    public static final String RULE = "a number with a unit of ms, s, m, h or d, for example 500ms or 2s";

    /** Longer than any process or page lives; its nanoseconds are a long. */
    public static final Duration EVER = Duration.ofDays(36_500);

    private Durations() {}

    /**
     * Reads a duration.
     *
     * @param field the field's name for the error message
     * @throws InvalidValueException if the text is not a number with a unit
     */
    public static Duration parse(String field, String text) {
        String trimmed = text.strip().toLowerCase(Locale.ROOT);
        if (trimmed.equals("0")) {
            return Duration.ZERO;
        }
        Matcher m = FORM.matcher(trimmed);
        if (!m.matches()) {
            throw new InvalidValueException(field, text, RULE);
        }
        double millis = Double.parseDouble(m.group(1)) * switch (m.group(2)) {
            case "ms" -> 1;
            case "s" -> 1_000;
            case "m" -> 60_000;
            case "h" -> 3_600_000;
            default -> 86_400_000;
        };
        return Duration.ofNanos(Math.round(millis * 1_000_000));
    }

    /** Writes a duration in the largest unit that needs no fraction, up to hours. */
    public static String format(Duration duration) {
        long millis = duration.toMillis();
        if (millis == 0) {
            return "0ms";
        }
        if (millis % 3_600_000 == 0) {
            return millis / 3_600_000 + "h";
        }
        if (millis % 60_000 == 0) {
            return millis / 60_000 + "m";
        }
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }
}
