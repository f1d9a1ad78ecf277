package io.trawl.analyzer.extract;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.parse.FetchedPage;
import io.trawl.analyzer.parse.ParsedPage;
import io.trawl.analyzer.parse.Parsers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The parser reads hostile pages in reasonable time and finds their last link. */
class HostileHtmlTest {
    private static final String LAST = "<a href=\"/last\">last</a>";
    private final Parsers parsers = new Parsers(List.of(new HtmlParser(1_000_000)), 1_000_000);

    enum Attack {
        DEEP_DIVS(() -> "<div>".repeat(100_000) + LAST), DEEP_INLINE(() -> "<b><i>".repeat(50_000) + LAST), DEEP_LISTS(
                () -> "<ul><li>".repeat(50_000) + LAST), DEEP_TABLES(
                        () -> "<table><tr><td>".repeat(30_000) + LAST), DEEP_CLOSED(() -> "<div>"
                                .repeat(100_000) + "</div>".repeat(100_000)
                                + LAST), MISNESTED(() -> "<a href=x><p>".repeat(20_000) + LAST), FONTS(
                                        () -> "<p><font size=1>".repeat(3_000) + LAST), HUGE_ATTRIBUTE(
                                                () -> "<p title=\"" + "x"
                                                        .repeat(3_000_000) + "\">" + LAST), MANY_ATTRIBUTES(() -> "<p "
                                                                + "abcdef=1 ".repeat(10) + ">"
                                                                + numbered("a%d=1 ", 5_000, "<p ") + ">"
                                                                + LAST), LARGE_PAGE(
                                                                        () -> "<p>Lorem ipsum dolor sit amet, consectetur.</p>\n"
                                                                                .repeat(110_000) + LAST), ONE_LINE(
                                                                                        () -> "x".repeat(5_000_000)
                                                                                                + LAST), MANY_LINKS(
                                                                                                        () -> numbered(
                                                                                                                "<a href=/l%d>l</a>",
                                                                                                                100_000,
                                                                                                                "")
                                                                                                                + LAST), OPEN_COMMENT(
                                                                                                                        () -> LAST
                                                                                                                                + "<!-- "
                                                                                                                                        .repeat(100_000)), ANGLES(
                                                                                                                                                () -> "<"
                                                                                                                                                        .repeat(1_000_000)
                                                                                                                                                        + LAST), ENTITIES(
                                                                                                                                                                () -> "&amp"
                                                                                                                                                                        .repeat(500_000)
                                                                                                                                                                        + LAST), ZEROS(
                                                                                                                                                                                () -> "\0"
                                                                                                                                                                                        .repeat(1_000_000)
                                                                                                                                                                                        + LAST), CLASS_NAMES(
                                                                                                                                                                                                () -> "<div class=\""
                                                                                                                                                                                                        + "nav-".repeat(
                                                                                                                                                                                                                50_000)
                                                                                                                                                                                                        + "\"><a href=x>y</a></div>"
                                                                                                                                                                                                        + LAST), STYLE(
                                                                                                                                                                                                                () -> "<p style=\""
                                                                                                                                                                                                                        + " ;display : nonsense"
                                                                                                                                                                                                                                .repeat(100_000)
                                                                                                                                                                                                                        + "\">"
                                                                                                                                                                                                                        + LAST);

        private final Supplier<String> html;

        Attack(Supplier<String> html) {
            this.html = html;
        }

        private static String numbered(String pattern, int count, String begin) {
            StringBuilder all = new StringBuilder(begin);
            for (int i = 0; i < count; i++) {
                all.append(pattern.replace("%d", Integer.toString(i)));
            }
            return all.toString();
        }
    }

    @ParameterizedTest
    @EnumSource(Attack.class)
    void isReadAsHtml(Attack attack) {
        isRead(attack, "text/html");
    }

    @ParameterizedTest
    @EnumSource(value = Attack.class, names = {"DEEP_DIVS", "DEEP_CLOSED", "HUGE_ATTRIBUTE", "LARGE_PAGE"})
    void isReadAsXhtml(Attack attack) {
        isRead(attack, "application/xhtml+xml");
    }

    private void isRead(Attack attack, String type) {
        byte[] html = attack.html.get().getBytes(StandardCharsets.UTF_8);
        FetchedPage page = new FetchedPage(Fixtures.page("http://example.org/", Map.of("content-type", type), html),
                Fixtures.definition("{}"));
        ParsedPage parsedPage = Assertions.assertTimeoutPreemptively(Duration.ofSeconds(10), () -> parsers.parse(page));
        assertThat(parsedPage.errors()).isEmpty();
        assertThat(parsedPage.links().orElseThrow()).extracting(l -> l.url().text())
                .contains("http://example.org/last");
    }
}
