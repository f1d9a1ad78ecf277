package io.trawl.analyzer.extract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadingIdsTest {
    private static List<Map<String, String>> ids(String html) {
        return HeadingIds.of(Jsoup.parse("<main id=all>" + html + "</main>").expectFirst("main"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"<h2 id=use>Use it</h2>", "<h2><a name=use></a>Use it</h2>",
            "<h2><span id=use>Use it</span></h2>", "<a name=use></a><h2>Use it</h2>",
            "<section id=use><h2>Use it</h2><p>So.</p></section>",
            "<p>Before.</p><section><span id=use></span><div><h2>Use it</h2></div></section>",
            "<div id=use><div><div><h2>Use it</h2></div></div></div>"})
    void theIdOfAHeadingIsItsOwnOrThatOfAnAnchorOrOfTheBoxItBegins(String html) {
        assertThat(ids(html)).containsExactly(Map.of("heading", "Use it", "id", "use"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"<h2>Use it</h2>", "<section id=a><p>Before.</p><h2>Use it</h2></section>",
            "<p id=a>Before.</p><h2>Use it</h2>", "<h2 id='a b'>Use it</h2>", "<h2 id=a></h2>"})
    void anIdOfSomethingElseIsNotThatOfAHeading(String html) {
        assertThat(ids(html)).isEmpty();
    }

    @Test
    void headingsAreInTheirOrderWithTheirOwnIdFirst() {
        assertThat(ids("<section id=x><h1 id=one>One</h1><section id=two><h2>Two</h2></section></section>"))
                .containsExactly(Map.of("heading", "One", "id", "one"), Map.of("heading", "Two", "id", "two"));
    }
}
