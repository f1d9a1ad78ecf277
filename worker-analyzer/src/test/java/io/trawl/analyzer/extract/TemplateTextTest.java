package io.trawl.analyzer.extract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The short and the long pages of a template are read in the same way: with the content, without the frame. */
class TemplateTextTest {
    private static final String NAV = "<ul><li><a href=/>Home</a></li><li><a href=/docs>All the documents</a></li>"
            + "<li><a href=/about>About this site</a></li></ul>";
    private static final String FOOTER = "Copyright 2026 by Example Corporation. All rights reserved, in all countries of the world."
            + " <a href=/imprint>Imprint</a>";

    static Stream<Arguments> templates() {
        return Stream.of(Arguments.of("main", "<nav>" + NAV + "</nav><main>%s</main><footer>" + FOOTER + "</footer>"),
                Arguments.of("main with a sidebar of prose",
                        "<div class=side>A long text about us, which is on every page and is not part of it.</div><main>%s</main>"),
                Arguments.of("navigation within main", "<main><div class=nav>" + NAV + "</div>%s</main>"),
                Arguments.of("article",
                        "<div class=top>" + NAV + "</div><article>%s</article><div>" + FOOTER + "</div>"),
                Arguments.of("names",
                        "<div id=header><h2>Example</h2> The home of all examples, since 1995, for everybody</div><div class=nav>"
                                + NAV + "</div><div id=content>%s</div><div class='footer dark'><p>" + FOOTER
                                + "</p></div>"),
                Arguments.of("names around everything",
                        "<div class='page has-sidebar header-fixed'><div class=sidebar><p>About the author of this site</p>"
                                + NAV + "</div><div class=text>%s</div><div class=page-footer>" + FOOTER
                                + "</div></div>"),
                Arguments.of("table of links without a name",
                        "<table><tr><td>" + NAV + "</td><td>%s</td></tr></table>"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("templates")
    void pagesOfOneToThirtyParagraphsHaveTheirParagraphsAsText(String name, String template) {
        for (int paragraphs = 1; paragraphs <= 30; paragraphs++) {
            String[] sentences = IntStream.rangeClosed(1, paragraphs).mapToObj(i -> "Sentence " + i + ".")
                    .toArray(String[]::new);
            String content = "<h1>Title</h1><p>" + String.join("</p><p>", sentences) + "</p>";
            String title = name.equals("article") ? "" : "Title";
            ReadableText read = ReadableText.read(Jsoup.parse(template.replace("%s", content)));
            assertThat(read.text()).as(paragraphs + " paragraphs")
                    .isEqualTo((title + "\n\n" + String.join("\n\n", sentences)).strip());
            assertThat(read.markup().text()).isEqualTo((title + " " + String.join(" ", sentences)).strip());
        }
    }
}
