package io.trawl.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class GlobPropertiesTest {
    @Property(tries = 2000)
    void aGlobMatchesWhatTheSameRegularExpressionMatches(@ForAll("globs") String glob, @ForAll("texts") String text) {
        String regex = glob.replace("**", "#").replace("*", "[^/]*").replace("#", ".*");
        assertThat(Glob.of(glob).matches(text)).as("%s %s", glob, text).isEqualTo(Pattern.matches(regex, text));
    }

    @Provide
    Arbitrary<String> globs() {
        return Arbitraries.of("a", "b", "/", "*", "**").list().ofMaxSize(8).map(parts -> String.join("", parts)
                .replaceAll("\\*{3,}", "**"));
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of("a", "b", "/").list().ofMaxSize(10).map(parts -> String.join("", parts));
    }
}
