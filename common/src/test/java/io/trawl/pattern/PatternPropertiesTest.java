package io.trawl.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class PatternPropertiesTest {
    @Property(tries = 2000)
    void aGlobMatchesWhatTheSameRegularExpressionMatches(@ForAll("globs") String glob, @ForAll("texts") String text) {
        String regex = glob.replace("**", "#").replace("*", "[^/]*").replace("#", ".*");
        assertThat(Glob.of(glob).matches(text)).as("%s %s", glob, text).isEqualTo(Pattern.matches(regex, text));
    }

    @Property(tries = 3000)
    void aRegularExpressionMatchesWhatTheSameOneOfTheLanguageFinds(@ForAll("regexes") String regex,
            @ForAll("texts") String text) {
        String url = "https://x.org/" + text + ".a";
        assertThat(UrlPattern.parse("re:" + regex).matches(UrlParts.of(url))).as("%s %s", regex, url)
                .isEqualTo(Pattern.compile(regex).matcher(url).find());
    }

    @Provide
    Arbitrary<String> regexes() {
        return Arbitraries
                .of("a", "b", "ab", "/", "[ab]", "[^]a]", "[\\]b]", "(ab)", "(a)*", "(b)+", "a*", "b?", "a+", "ba{0,1}",
                        "\\.", "\\w", ".", "(a(b))?", "^h", "a$")
                .list().ofMinSize(1).ofMaxSize(5).map(parts -> String.join("", parts));
    }

    @Provide
    Arbitrary<String> globs() {
        return Arbitraries.of("a", "b", "/", "*", "**").list().ofMaxSize(8)
                .map(parts -> String.join("", parts).replaceAll("\\*{3,}", "**"));
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of("a", "b", "/").list().ofMaxSize(10).map(parts -> String.join("", parts));
    }
}
