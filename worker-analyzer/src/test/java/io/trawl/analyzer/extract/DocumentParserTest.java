package io.trawl.analyzer.extract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import org.jsoup.nodes.Document;
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
        BoundedDocument page = parser.parse("<title>T</title><p>before" + start + "x".repeat(LONG) + ">after",
                DocumentMemory.MOST);
        assertThat(page.cut()).isTrue();
        assertThat(page.document().title()).isEqualTo("T");
        assertThat(page.document().body().text()).isEqualTo("before");
    }

    @Test
    void longTextsAttributesAndScriptsAreNoNames() {
        String text = "x".repeat(200_000);
        BoundedDocument page = parser.parse(
                "<p a='" + text + "'>" + text + "<script>if (a <b) { " + text + " }</script><i>end</i>",
                DocumentMemory.USUAL);
        assertThat(page.cut()).isFalse();
        assertThat(page.document().select("i").text()).isEqualTo("end");
    }

    /** Each thread has a parser: what they keep while they are idle, nobody reserves. */
    @Test
    void aParserKeepsNoLargeDocument() {
        WeakReference<Document> large = new WeakReference<>(
                parser.parse("<p>text</p>".repeat(100_000), DocumentMemory.USUAL).document());
        await().until(() -> {
            System.gc();
            return large.refersTo(null);
        });
        assertThat(parser.parse("<p>text</p>", DocumentMemory.USUAL).cut()).isFalse();
    }
}
