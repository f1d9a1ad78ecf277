package io.trawl.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProductTokenTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"Trawl/0.1|trawl", "Trawl|trawl", "Trawl-Bot/2 (+https://x)|trawl-bot",
            "My Crawler/1|my", " Trawl(x)|trawl", "''|''", "/1|''", "my-bot (me@x)|my-bot"})
    void theTokenIsTheFirstWordBeforeASlash(String userAgent, String token) {
        assertThat(ProductToken.of(userAgent)).isEqualTo(token);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36|trawl",
            "Mozilla/5.0 (compatible; Other/1.0)|trawl", "mozilla|trawl"})
    void aBrowsersUserAgentGetsTheTokenOfTrawl(String userAgent, String token) {
        assertThat(ProductToken.of(userAgent)).isEqualTo(token);
    }
}
