package io.trawl.downloader.fetch;

import io.trawl.value.HttpDate;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads {@code Retry-After} (RFC 9110 section 10.2.3). */
final class RetryAfterHeader {
    private static final Duration LONGEST = Duration.ofDays(3650);
    private static final int MOST_CHARACTERS = 100;
    /** The standard has whole seconds; servers send fractions, too. */
    private static final Pattern SECONDS = Pattern.compile("[0-9]++(?:\\.[0-9]*+)?");

    private RetryAfterHeader() {}

    /**
     * How long to wait, from seconds or from a date in any of the three forms; zero for a date in the past, and at most
     * ten years.
     *
     * @return empty if it is neither
     */
    static Optional<Duration> parse(String value, Instant now) {
        String text = value.strip();
        if (SECONDS.matcher(text).matches()) {
            BigDecimal seconds = new BigDecimal(text.substring(0, Math.min(text.length(), MOST_CHARACTERS)));
            return Optional.of(Duration
                    .ofNanos(seconds.min(BigDecimal.valueOf(LONGEST.toSeconds())).movePointRight(9).longValue()));
        }
        return HttpDate.parse(text, now).map(date -> Duration.between(now, date))
                .map(wait -> wait.isNegative() ? Duration.ZERO : wait.compareTo(LONGEST) > 0 ? LONGEST : wait);
    }
}
