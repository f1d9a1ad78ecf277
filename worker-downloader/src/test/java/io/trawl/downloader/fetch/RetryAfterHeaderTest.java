package io.trawl.downloader.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterHeaderTest {
    private static final Instant NOW = Instant.parse("1994-11-06T08:49:07Z");

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"0|0", "120|120", " 7 |7", "Sun, 06 Nov 1994 08:49:37 GMT|30",
            "Sunday, 06-Nov-94 08:49:37 GMT|30", "Sun Nov  6 08:49:37 1994|30",
            "Sun, 06 Nov 1994 08:00:00 GMT|0"})
    void secondsAndTheThreeFormsOfDatesAreRead(String value, long seconds) {
        assertThat(RetryAfterHeader.parse(value, NOW)).contains(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "-5", "1.5", "12h", "Sun, 99 Nov 1994"})
    void anyOtherValueIsIgnored(String value) {
        assertThat(RetryAfterHeader.parse(value, NOW)).isEmpty();
    }

    @Test
    void aHugeNumberIsALongPauseAndNotAnError() {
        assertThat(RetryAfterHeader.parse("9".repeat(40), NOW).orElseThrow()).isGreaterThan(Duration.ofDays(365));
    }
}
