package io.trawl.extract.markdown;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Entities;

/** A parser of CommonMark reads in the Markdown of any page its words, and its code byte for byte. */
class MarkdownRoundTripTest {
    private static final List<String> INLINES = List.of("b", "i", "s", "code", "a href=/u_(x)*", "span", "sup", "kbd");
    private static final List<String> BLOCKS = List.of("p", "div", "h2", "ul", "ol start=7", "li", "blockquote", "pre",
            "dl", "dt", "dd", "table", "tr", "td", "th", "section");

    @Property(tries = 1_000)
    void wordsAndCodeAreThoseOfThePage(@ForAll("pages") String html) {
        Element body = Jsoup.parse(html).body();
        // Cells have no code blocks, and a browser shows no words that touch as apart.
        assertThat(RoundTrip.differences(RoundTrip.shown(body), body))
                .as(Markdown.of(body, java.util.Optional::of, _ -> false)).doesNotContainKeys("words", "code");
    }

    /** A parser that looks at whole characters sees punctuation on both sides of the second bold text. */
    @Example
    void aSymbolOfTwoSurrogatesIsNeitherALetterNorPunctuationForSure() {
        wordsAndCodeAreThoseOfThePage("<i><b>a</b>。。<b>😀</b></i>");
        wordsAndCodeAreThoseOfThePage("<i><b>😀</b>。。<b>a</b></i>");
    }

    @Example
    void underscoresThatASignPartsMeanNothing() {
        wordsAndCodeAreThoseOfThePage("<h2>_<i><sup>_ a</sup></i></h2>");
    }

    @Property(tries = 500)
    void eachRowOfATableHasAsManyCellsAsItsHeadAndNoTextIsLost(@ForAll("tables") String html) {
        Element body = Jsoup.parse("<table>" + html + "</table>").body();
        String markdown = Markdown.of(body, java.util.Optional::of, _ -> false);
        if (markdown.startsWith("|")) {
            assertThat(markdown.lines().map(line -> line.replaceAll("[^|]", "").length()).distinct()).as(markdown)
                    .hasSize(1);
        }
        assertThat(markdown.replaceAll("[|-]", " ").strip().split("\\s+")).as(markdown)
                .containsExactly(body.text().strip().split("\\s+"));
    }

    @Provide
    Arbitrary<String> tables() {
        Arbitrary<Integer> span = Arbitraries.of(1, 1, 1, 2, 3, 9);
        Arbitrary<String> cell = net.jqwik.api.Combinators
                .combine(Arbitraries.of("td", "th"), span, span, Arbitraries.of("a", "B1", "c d", ""))
                .as((name, columns, rows, text) -> "<%s colspan=%d rowspan=%d>%s".formatted(name, columns, rows, text));
        Arbitrary<String> row = cell.list().ofMinSize(1).ofMaxSize(4).map(cells -> "<tr>" + String.join("", cells));
        Arbitrary<String> group = net.jqwik.api.Combinators
                .combine(Arbitraries.of("<thead>", "<tbody>", "<tfoot>"), row.list().ofMinSize(1).ofMaxSize(4))
                .as((name, rows) -> name + String.join("", rows));
        return group.list().ofMinSize(1).ofMaxSize(3).map(groups -> String.join("", groups));
    }

    @Provide
    Arbitrary<String> pages() {
        return blocks(4).list().ofMinSize(1).ofMaxSize(6).map(parts -> String.join("", parts));
    }

    private static Arbitrary<String> blocks(int depth) {
        Arbitrary<String> line = inlines(3);
        if (depth == 0) {
            return line;
        }
        return Arbitraries.oneOf(line, Arbitraries.lazy(() -> element(BLOCKS, blocks(depth - 1))),
                Arbitraries.of("<hr>", "<br>", "\n"));
    }

    private static Arbitrary<String> inlines(int depth) {
        Arbitrary<String> text = Arbitraries.of("a", "B", "é", "。", "😀", "1", " ", " ", "*", "_", "`", "``", "~", "[",
                "]", "(", ")", "<", ">", "\\", "#", "- ", "+ ", "1. ", "= ", "---", "|", "!", "&", "lt;", ":", "\n",
                "\t", "\u00A0", "$", ".").list().ofMinSize(1).ofMaxSize(8)
                .map(parts -> Entities.escape(String.join("", parts)));
        if (depth == 0) {
            return text;
        }
        return Arbitraries.frequencyOf(net.jqwik.api.Tuple.of(3, text),
                net.jqwik.api.Tuple.of(2, Arbitraries.lazy(() -> element(INLINES, inlines(depth - 1)))),
                net.jqwik.api.Tuple.of(1, Arbitraries.just("<br>")));
    }

    private static Arbitrary<String> element(List<String> names, Arbitrary<String> content) {
        return Arbitraries.of(names).flatMap(name -> content.list().ofMinSize(1).ofMaxSize(4)
                .map(parts -> "<" + name + ">" + String.join("", parts) + "</" + name.replaceAll(" .*", "") + ">"));
    }
}
