package io.trawl.extract.markdown;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
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
