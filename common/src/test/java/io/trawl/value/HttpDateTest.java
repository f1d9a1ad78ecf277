package io.trawl.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpDateTest {
    private static final Instant NOW = Instant.parse("2026-11-27T00:00:00Z");

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"Sun, 06 Nov 1994 08:49:37 GMT|1994-11-06T08:49:37Z",
            "Sunday, 06-Nov-94 08:49:37 GMT|1994-11-06T08:49:37Z", "Sun Nov  6 08:49:37 1994|1994-11-06T08:49:37Z",
            "Saturday, 01-Jan-50 15:00:00 GMT|2050-01-01T15:00:00Z", "25 Jun 2010 15:00:00 PST|2010-06-25T23:00:00Z",
            "25 jun 2010 15:00:00 pst|2010-06-25T23:00:00Z", "25-Jun-2010 15:00:00 EST|2010-06-25T20:00:00Z",
            "fri, 25 Jun 10 15:00 +0200|2010-06-25T13:00:00Z", "25 Jun 2010|2010-06-25T00:00:00Z",
            "2010-06-25|2010-06-25T00:00:00Z", "2010|2010-01-01T00:00:00Z", "2010-06|2010-06-01T00:00:00Z",
            "2010-06-25T15:00:00Z|2010-06-25T15:00:00Z", "2010-06-25T15:00:00.250+02:00|2010-06-25T13:00:00.250Z",
            "2010-06-25t15:00:00z|2010-06-25T15:00:00Z", "2010-06-25 15:00|2010-06-25T15:00:00Z"})
    void theFormsOfHeadersAndOfIsoAreRead(String text, Instant time) {
        assertThat(HttpDate.parse(text, NOW)).contains(time);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "soon", "31 Feb", "Sun, 99 Nov 1994", "25 Jun 2010 15:00:00 XYZ"})
    void anythingElseIsNoDate(String text) {
        assertThat(HttpDate.parse(text, NOW)).isEmpty();
        assertThat(HttpDate.isPast(text, NOW)).isFalse();
    }

    @Test
    void aDateHasPassedWhenItsTimeIsOver() {
        assertThat(HttpDate.isPast("Thu, 26 Nov 2026 23:59:59 GMT", NOW)).isTrue();
        assertThat(HttpDate.isPast("Fri, 27 Nov 2026 00:00:00 GMT", NOW)).isFalse();
        assertThat(HttpDate.isPast("2026-11-28", NOW)).isFalse();
    }

    @Property
    void noTextIsAnError(@ForAll @CharRange(from = ' ', to = '~') String text) {
        assertThat(HttpDate.isPast(text, NOW)).isIn(true, false);
    }
}
