package io.trawl.downloader.fetch;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads {@code Retry-After} (RFC 9110 section 10.2.3). */
final class RetryAfterHeader {
    private static final Duration LONGEST = Duration.ofDays(3650);
    private static final DateTimeFormatter CURRENT = DateTimeFormatter.ofPattern("d MMM yyyy HH:mm:ss", Locale.ENGLISH);
    private static final DateTimeFormatter ASCTIME = DateTimeFormatter.ofPattern("MMM d HH:mm:ss yyyy", Locale.ENGLISH);

    private RetryAfterHeader() {}

    /**
     * How long to wait, from seconds or from a date in any of the three forms; zero for a date in the past.
     *
     * @return empty if it is neither
     */
    static Optional<Duration> parse(String value, Instant now) {
        String text = value.strip();
        if (text.isEmpty()) {
            return Optional.empty();
        }
        if (text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.of(text.length() > 9 ? LONGEST : Duration.ofSeconds(Long.parseLong(text)));
        }
        return date(text, now).map(date -> Duration.between(now, date)).map(wait -> wait.isNegative() ? Duration.ZERO : wait);
    }

    /** RFC 9110 section 5.6.7. The day of the week is ignored: it is redundant, and may be wrong for a year of two digits. */
    private static Optional<Instant> date(String value, Instant now) {
        String text = value.replaceFirst("^[A-Za-z]{3,9},? +", "").replaceAll(" +", " ").replaceFirst(" (GMT|UTC)$", "");
        for (DateTimeFormatter form : List.of(CURRENT, rfc850(now), ASCTIME)) {
            try {
                return Optional.of(LocalDateTime.parse(text, form).toInstant(ZoneOffset.UTC));
            } catch (DateTimeException e) {
                // try the next form
            }
        }
        return Optional.empty();
    }

    /** A year of two digits is less than 50 years ahead. */
    private static DateTimeFormatter rfc850(Instant now) {
        return new DateTimeFormatterBuilder().appendPattern("d-MMM-")
                .appendValueReduced(ChronoField.YEAR, 2, 2, now.atOffset(ZoneOffset.UTC).getYear() - 50)
                .appendPattern(" HH:mm:ss").toFormatter(Locale.ENGLISH);
    }
}
