package io.trawl.downloader.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.CharRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterHeaderTest {
    private static final Instant NOW = Instant.parse("1994-11-06T08:49:07Z");

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"0|0", "120|120", " 7 |7", "Sun, 06 Nov 1994 08:49:37 GMT|30",
            "Sunday, 06-Nov-94 08:49:37 GMT|30", "Sun Nov  6 08:49:37 1994|30", "Sun, 06 Nov 1994 08:00:00 GMT|0",
            "7.5|7.5", "1.|1", "0.0004|0.0004", "0007|7", "Sun, 06 Nov 1994 03:49:37 EST|30",
            "1994-11-06T08:49:37Z|30"})
    void secondsAlsoFractionsAndTheFormsOfDatesAreRead(String value, BigDecimal seconds) {
        assertThat(RetryAfterHeader.parse(value, NOW))
                .contains(Duration.ofNanos(seconds.movePointRight(9).longValueExact()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "-5", ".5", "1.5.2", "1,5", "1e3", "12h", "٣", "Sun, 99 Nov 1994"})
    void anyOtherValueIsIgnored(String value) {
        assertThat(RetryAfterHeader.parse(value, NOW)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"9999999999", "99999999999999999999999999999999999999.5", "Fri, 31 Dec 9999 23:59:59 GMT"})
    void anAbsurdValueIsTenYearsAndNoError(String value) {
        assertThat(RetryAfterHeader.parse(value, NOW)).contains(Duration.ofDays(3650));
        assertThat(RetryAfterHeader.parse("9".repeat(100_000), NOW)).contains(Duration.ofDays(3650));
    }

    @Property
    void anyTextIsAPauseOfAtMostTenYearsOrNone(@ForAll @CharRange(from = ' ', to = '~') String text,
            @ForAll("numbers") String number) {
        for (String value : List.of(text, number)) {
            assertThat(RetryAfterHeader.parse(value, NOW).orElse(Duration.ZERO)).isBetween(Duration.ZERO,
                    Duration.ofDays(3650));
        }
    }

    @Provide
    Arbitrary<String> numbers() {
        return Arbitraries.strings().withChars("0123456789.").ofMaxLength(40);
    }
}
