package io.trawl.analyzer.extract;

import static org.assertj.core.api.Assertions.assertThat;

import org.jsoup.parser.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentParserTest {
    private static final int LONG = 8 << 20;
    private final DocumentParser parser = new DocumentParser(Parser::htmlParser, 1_000_000);

    /** The parser's time for a name is quadratic: 50 s for eight million characters. */
    @ParameterizedTest
    @ValueSource(strings = {"<", "</"})
    @Timeout(20)
    void aTagWithAnEndlessNameEndsThePage(String start) {
        BoundedDocument page = parser.parse("<title>T</title><p>before" + start + "x".repeat(LONG) + ">after");
        assertThat(page.cut()).isTrue();
        assertThat(page.document().title()).isEqualTo("T");
        assertThat(page.document().body().text()).isEqualTo("before");
    }

    @Test
    void longTextsAttributesAndScriptsAreNoNames() {
        String text = "x".repeat(200_000);
        BoundedDocument page = parser
                .parse("<p a='" + text + "'>" + text + "<script>if (a <b) { " + text + " }</script><i>end</i>");
        assertThat(page.cut()).isFalse();
        assertThat(page.document().select("i").text()).isEqualTo("end");
    }
}
