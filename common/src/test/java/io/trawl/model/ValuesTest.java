package io.trawl.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.model.Request.RequestId;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "0ms, 0", "250ms, 250", "2s, 2000", "1.5s, 1500", "1m, 60000", "2h, 7200000", "7d, 604800000",
            " 3S , 3000", "0.5ms, 0"})
    void durationsAreReadWithTheirUnit(String text, long millis) {
        assertThat(Durations.parse("--delay", text).toMillis()).isEqualTo(millis);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "-1s", "1w", "1 s", "1e3s", "PT1S", "1,5s"})
    void otherTextsAreRefusedNamingTheField(String text) {
        assertThatThrownBy(() -> Durations.parse("--delay", text)).isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("--delay: '" + text + "'");
    }

    @Property
    void aFormattedDurationIsParsedAsTheSame(@ForAll @LongRange(min = 0, max = 1_000_000_000L) long millis) {
        Duration duration = Duration.ofMillis(millis);

        assertThat(Durations.parse("x", Durations.format(duration))).isEqualTo(duration);
    }

    @Property
    void aPrintedIdIsParsedAsTheSame(@ForAll long value) {
        assertThat(RequestId.parse(new RequestId(value).toString())).isEqualTo(new RequestId(value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "a b", "-a", ".a", "a/b", "ä", "a*"})
    void aCrawlIdIsAPlainName(String text) {
        assertThatThrownBy(() -> new CrawlId(text)).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void aRunIsCrawlAndEpoch() {
        assertThat(CrawlRun.parse("docs.example-1_x/12")).isEqualTo(new CrawlRun(new CrawlId("docs.example-1_x"), 12));
        assertThat(CrawlRun.parse("docs/3")).hasToString("docs/3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs", "docs/", "docs/0", "docs/-1", "docs/x", "/1", "docs/1/", "docs/9999999999"})
    void otherRunsAreRefused(String text) {
        assertThatThrownBy(() -> CrawlRun.parse(text)).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void everyReaderOfABodyStartsAtItsFirstByte() throws Exception {
        Body body = new Body(new byte[]{1, 2, 3});

        assertThat(body.reader().readAllBytes()).containsExactly(1, 2, 3);
        assertThat(body.reader().readAllBytes()).containsExactly(1, 2, 3);
    }
}
