package io.trawl.analyzer.extract;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The right values are what Chromium loads, and the tokens of CSS Syntax Module Level 3. */
class CssReferencesTest {
    private static String read(String css) {
        return String.join(" ", CssReferences.of(css).stream().map(found -> found.kind() + "=" + found.url()).toList());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"a{background:url(a.png)}|image=a.png",
            "a{background:URL( 'a b.png' )}|image=a b.png", "@import 'a.css';|style=a.css",
            "@import url(a.css) screen;b{c:url(d)}|style=a.css image=d",
            "@import url(\"a.css\") layer(x) supports(display: grid);|style=a.css",
            "@charset 'utf-8';@import 'a.css'|style=a.css", "@namespace url(http://www.w3.org/2000/svg);|``",
            "@font-face{font-family:X;src:local('Y'),url(a.woff2) format('woff2'),url(b.woff)}a{b:url(c)}|font=a.woff2 font=b.woff image=c",
            "@media print{@font-face{src:url(a.woff2)} a{b:url(c)}}|font=a.woff2 image=c",
            "a{background:image-set('a.png' 1x, url(b.png) 2x, \"c.png\" type('image/png') 3x)}|image=a.png image=b.png image=c.png",
            "a{background:-webkit-image-set(url(a.png) 1x)}|image=a.png",
            "/* url(no.png) */a{b:url(c/*d*/.png)}|image=c/*d*/.png", "a{content:'url(no.png)'}|``",
            "a{b:url(a\\ b\\28 c\\).png)}|image=a b(c).png", "a{b:u\\72l(a.png)}|image=a.png",
            "a{b:url(no good)}c{d:url(e)}|image=e", "a{b:url(no'good)}c{d:url(e)}|image=e", "a{b:url(c)|image=c",
            "a{b:url('c|image=c", "a{b:url()}|``", "a{--x:url(a.png)}|image=a.png", "}}})a{b:url(c)}|image=c",
            "a{&:hover{b:url(c)}d:url(e)}|image=c image=e", "background:url(a.png) no-repeat|image=a.png",
            "a{b:attr(src url)}|``"})
    void whatAStyleSheetLoadsIsFound(String css, String expected) {
        assertThat(read(css)).isEqualTo(expected);
    }

    @Test
    void openBracketsCostNoTimePerUrl() {
        String css = "(".repeat(1_000_000) + "url(a)".repeat(200_000);
        assertThat(CssReferences.of(css)).hasSize(200_000);
    }

    @Property(tries = 2_000)
    void noTextIsTooStrange(@ForAll @StringLength(max = 60) @CharRange(from = ' ', to = '~') String css) {
        assertThat(CssReferences.of(css + "@url(\\")).isNotNull();
    }

    @Property(tries = 500)
    void whatComesBeforeAWholeRuleHidesItOnlyInACommentAStringOrAUrl(
            @ForAll @StringLength(max = 30) @CharRange(from = '+', to = 'z') String before) {
        String text = before.replace("\\", "");
        assertThat(read(text + "}a{b:url(last.png)}")).endsWith("=last.png");
    }
}
