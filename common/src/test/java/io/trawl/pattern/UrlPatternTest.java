package io.trawl.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.model.InvalidValueException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UrlPatternTest {
    @ParameterizedTest
    @CsvSource(delimiter = ' ', value = {"/3/** https://docs.example.org/3/library/os.html true",
            "/3/* https://docs.example.org/3/library/os.html false",
            "/3/* https://docs.example.org/3/os.html?x=/1 true",
            "/3/**?x=* https://docs.example.org/3/os.html?x=1 true",
            "/3/**?x=* https://docs.example.org/3/os.html false", "/straße/* https://example.org/stra%C3%9Fe/1 true",
            "/{a,b}/{c,d} https://example.org/b/c true", "/{a,b}/{c,d} https://example.org/b/e false",
            "*.example.org https://docs.example.org:8443/x true", "*.example.org https://example.org/x false",
            "Docs.Example.org/3/** http://docs.example.org/3/x?y true", "[::1]/** http://[::1]:8080/x true",
            "https://docs.example.org http://docs.example.org/x false",
            "https://docs.example.org https://docs.example.org/x?y true",
            "https://docs.example.org/x https://docs.example.org/x?y false",
            "**/print https://docs.example.org/a/print true", "re:/page/[0-9]+$ https://docs.example.org/page/12 true",
            "re:^/page https://docs.example.org/page/12 false"})
    void itMatchesThePartOfTheUrlThatItsFormNames(String pattern, String url, boolean matches) {
        assertThat(UrlPattern.parse(pattern).matches(UrlParts.of(url))).isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " /x", "re:(", "re:(?=x)", "/{a", "/a}", "/{a,{b}}",
            "/{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"})
    void whatCannotBeReadIsRefused(String pattern) {
        assertThatThrownBy(() -> UrlPattern.parse(pattern)).isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("pattern");
    }

    @Test
    void manyStarsTakeNoLongTime() {
        assertThat(Glob.of("**a".repeat(500) + "b").matches("a".repeat(20_000))).isFalse();
        assertThat(Glob.of("*a".repeat(500) + "b").matches("a".repeat(20_000))).isFalse();
    }
}
