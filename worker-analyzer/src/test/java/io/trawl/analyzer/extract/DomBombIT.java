package io.trawl.analyzer.extract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.management.ThreadMXBean;
import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.parse.PageBudget;
import io.trawl.analyzer.parse.ParsedPage;
import io.trawl.analyzer.parse.Parsers;
import io.trawl.testkit.TestTimeouts;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DomBombIT {
    private static final int MOST = 50_000;
    /** For the attributes of the elements that are open. */
    private static final int OPEN = 20_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @EnumSource(DomBomb.class)
    void aBombIsCutAtTheLimitOfNodes(DomBomb bomb) {
        BoundedDocument parsed = new DocumentParser(Parser::htmlParser, MOST).parse(bomb.page(1 << 20),
                DocumentMemory.MOST);
        assertThat(parsed.cut()).isTrue();
        assertThat(nodesAndAttributes(parsed.document())).isBetween(MOST / 2L, 2L * MOST + OPEN);
    }

    @ParameterizedTest
    @EnumSource(DomBomb.class)
    void aBombIsNoUsualPage(DomBomb bomb) {
        DocumentParser parser = new DocumentParser(Parser::htmlParser, MOST);
        String page = bomb.page(1 << 20);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        assertThatExceptionOfType(DocumentMemory.NotEnoughException.class)
                .isThrownBy(() -> parser.parse(page, DocumentMemory.USUAL));
        // The text without its end, and what jsoup allocates between two looks.
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before)
                .isLessThan(DocumentMemory.usual(page.length(), MOST) + 2L * page.length() + (2 << 20));
    }

    @ParameterizedTest
    @EnumSource(DomBomb.class)
    void aBombOfEightMebibytesCostsBoundedMemoryAndIsStillAPageWithItsLinks(DomBomb bomb) {
        Parsers parsers = new Parsers(List.of(new HtmlParser(200_000)), 100);
        String html = bomb.page(8 << 20);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        ParsedPage page = parsers.parse(Fixtures.html("http://example.org/", html));
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(400L << 20);
        assertThat(page.cuts()).containsExactly(PageBudget.NODES);
        assertThat(page.failed()).isFalse();
        assertThat(page.links().orElseThrow()).first().extracting(link -> link.url().text())
                .isEqualTo("http://example.org/first");
    }

    @Test
    void aPageOfNulsCostsNoMoreThanAPageOfLettersAndACopy() {
        assertThat(allocatedForEightMebibytesOf("\0")).isLessThan(allocatedForEightMebibytesOf("x") + (12L << 20));
    }

    private static long allocatedForEightMebibytesOf(String character) {
        Parsers parsers = new Parsers(List.of(new HtmlParser(200_000)), 100);
        String html = DomBomb.FIRST + character.repeat(8 << 20) + "<a href=/last>last</a>";
        long before = THREADS.getCurrentThreadAllocatedBytes();
        ParsedPage page = parsers.parse(Fixtures.html("http://example.org/", html));
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertThat(page.links().orElseThrow()).extracting(link -> link.url().text())
                .containsExactly("http://example.org/first", "http://example.org/last");
        return allocated;
    }

    @Test
    void aPageWithFewerNodesIsReadToItsEnd() {
        String html = "<p>" + "<p title=t>x<br>".repeat(9_000);
        DocumentParser parser = new DocumentParser(Parser::htmlParser, MOST);
        for (DocumentMemory memory : List.of(DocumentMemory.MOST, DocumentMemory.USUAL, DocumentMemory.USUAL)) {
            BoundedDocument parsed = parser.parse(html, memory);
            assertThat(parsed.cut()).isFalse();
            assertThat(parsed.document().outerHtml()).isEqualTo(Parser.htmlParser().parseInput(html, "").outerHtml());
        }
    }

    @Test
    void bombsInParallelInASmallHeapAreAllItems() throws Exception {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m", "-XX:+ExitOnOutOfMemoryError", "-cp", System.getProperty("java.class.path"),
                DomBombProcess.class.getName()).redirectErrorStream(true)
                .redirectOutput(File.createTempFile("bombs", ".log")).start();
        assertThat(process.waitFor(TestTimeouts.LIMIT)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    private static long nodesAndAttributes(Document document) {
        long[] sum = {0};
        document.traverse(
                (node, depth) -> sum[0] += 1 + (node instanceof Element element ? element.attributesSize() : 0));
        return sum[0];
    }

}
