package io.trawl.analyzer.extract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.From;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PageRefreshTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {"0; url=/a|0|/a", "0; /a|0|/a", "0;'/c'|0|/c",
            "0 ;  URL = /a|0|/a", "1.5,url='/b' x|1|/b", "5;URL=/c d|5|/c d", "~  3 /x~|3|/x", ".5;/y|0|/y",
            "0;url=\"/q|0|/q", "0;;url=/z|0|;url=/z", "7;urls|7|urls", "7; url|7|url", "0, uRl\t= /t|0|/t",
            "99999999999; /far|2147483647|/far", "1...; /d|1|/d"})
    void aRefreshIsReadAsBrowsersDo(String value, int seconds, String url) {
        assertThat(PageRefresh.of(value)).contains(new PageRefresh(seconds, url));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "5", "5;", "5; url=", "5; url=''", "url=/x", "; url=/x", "x; /y", "5x; /y",
            "-1; /x"})
    void whatNamesNoUrlOrNoTimeIsNone(String value) {
        assertThat(PageRefresh.of(value)).isEmpty();
    }

    @Property
    void anyValueIsReadInOnePass(@ForAll String value) {
        PageRefresh.of(value).ifPresent(to -> assertThat(to.url()).isNotBlank());
    }

    @Provide
    Arbitrary<String> blanks() {
        return Arbitraries.strings().withChars(" \t\n\f\r").ofMaxLength(3);
    }

    @Property
    void aUrlIsFoundInEveryForm(@ForAll @IntRange(max = 1000) int seconds, @ForAll @From("blanks") String blank,
            @ForAll @From("forms") String form) {
        String value = blank + seconds + form.replace(" ", blank);
        assertThat(PageRefresh.of(value)).as(value).isEqualTo(Optional.of(new PageRefresh(seconds, "/next?a=1")));
    }

    @Provide
    Arbitrary<String> forms() {
        return Combinators
                .combine(Arbitraries.of("; ", ", ", ".7 ; "), Arbitraries.of("", "url =", "URL= "),
                        Arbitraries.of("/next?a=1", "'/next?a=1'", "\"/next?a=1\"; x", "'/next?a=1"))
                .as((a, b, c) -> a + b + c);
    }
}
