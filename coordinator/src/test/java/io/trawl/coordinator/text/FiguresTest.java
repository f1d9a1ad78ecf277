package io.trawl.coordinator.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FiguresTest {
    @ParameterizedTest
    @CsvSource({"0,0.0s", "9949,9.9s", "10000,10s", "59999,59s", "62000,1m 02s", "3599000,59m 59s", "7500000,2h 05m"})
    void showTimesInTheUnitThatMatters(long millis, String shown) {
        assertThat(Figures.time(Duration.ofMillis(millis))).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({"0,0 bytes", "999,999 bytes", "1000,1.0 kB", "34200000,34.2 MB", "5000000000000000,5000.0 TB"})
    void showSizesInTheUnitThatMatters(long bytes, String shown) {
        assertThat(Figures.bytes(bytes)).isEqualTo(shown);
    }

    @Test
    void aCountAgreesWithItsNoun() {
        assertThat(Figures.count(1, "page")).isEqualTo("1 page");
        assertThat(Figures.count(12_345, "page")).isEqualTo("12,345 pages");
    }

    @ParameterizedTest
    @CsvSource({"0,0.0", "3.44,3.4", "1500.5,'1,501'", "NaN,–"})
    void showKnownAndUnknownRates(double rate, String shown) {
        assertThat(Figures.perSecond(rate)).isEqualTo(shown);
    }
}
