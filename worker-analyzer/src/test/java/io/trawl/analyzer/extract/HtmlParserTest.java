package io.trawl.analyzer.extract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.parse.FetchedPage;
import io.trawl.analyzer.parse.ParsedPage;
import io.trawl.analyzer.parse.ParsedPage.LinkTarget;
import io.trawl.analyzer.parse.Parsers;
import io.trawl.codec.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages in files, each with a file of the expected result. */
class HtmlParserTest {
    private final Parsers parsers = new Parsers(List.of(new HtmlParser(1_000_000)), 10_000);

    @ParameterizedTest
    @ValueSource(strings = {"article.html", "links.html", "base.html", "badbase.html", "frames.html", "page.xhtml",
            "robots.html", "trawl-nofollow.html", "broken.html", "list-only.html", "old-style.html"})
    void readsTheExpectedFieldsAndLinks(String name) {
        JsonNode expected = Json.read(Fixtures.file(name.substring(0, name.indexOf('.')) + ".json"), JsonNode.class);
        String type = name.endsWith(".xhtml") ? "application/xhtml+xml" : "text/html";
        ParsedPage parsedPage = parsers.parse(new FetchedPage(
                Fixtures.page("http://example.org/dir/" + name, Map.of("content-type", type), Fixtures.file(name)),
                Fixtures.definition("{}")));
        assertThat(parsedPage.errors()).isEmpty();
        Map<String, Object> fields = new LinkedHashMap<>();
        expected.get("fields").properties().forEach(e -> fields.put(e.getKey(), e.getValue().asText()));
        if ("*".equals(fields.get("text"))) {
            fields.put("text", parsedPage.fields().get("text"));
        }
        assertThat(withoutLanguage(parsedPage)).containsExactlyEntriesOf(fields);
        assertThat(urls(parsedPage, false)).containsExactlyElementsOf(texts(expected.path("links")));
        assertThat(urls(parsedPage, true)).containsExactlyElementsOf(texts(expected.path("nofollow")));
        assertThat(parsedPage.robots().noindex()).isEqualTo(expected.path("noindex").asBoolean());
        assertThat(parsedPage.robots().nofollow()).isEqualTo(expected.path("pageNofollow").asBoolean());
        Map<String, Integer> notLinks = new LinkedHashMap<>();
        parsedPage.notLinks().forEach((reason, n) -> notLinks.put(reason.name(), n));
        Map<String, Integer> refused = new LinkedHashMap<>();
        expected.path("notLinks").properties().forEach(e -> refused.put(e.getKey(), e.getValue().asInt()));
        assertThat(notLinks).isEqualTo(refused);
    }

    /** What is told of the text is not read in the page. */
    private static Map<String, Object> withoutLanguage(ParsedPage page) {
        Map<String, Object> fields = new LinkedHashMap<>(page.fields());
        fields.remove(ParsedPage.DETECTED_LANGUAGE);
        fields.remove(ParsedPage.LANGUAGE_CONFIDENCE);
        return fields;
    }

    @Test
    void leavesTheTextOutIfTheCrawlDoesNotExtractIt() {
        byte[] html = "<title>t</title><p>text".getBytes(StandardCharsets.UTF_8);
        ParsedPage parsedPage = parsers
                .parse(new FetchedPage(Fixtures.page("http://example.org/", Map.of("content-type", "text/html"), html),
                        Fixtures.definition("{\"extract\":{\"text\":false}}")));
        assertThat(parsedPage.fields()).containsExactly(Map.entry("title", "t"));
    }

    @ParameterizedTest
    @CsvSource({"application/pdf", "image/png", "text/css", "application/javascript", "image/svg+xml"})
    void ignoresDocumentsThatAreNoText(String type) {
        ParsedPage parsedPage = parsers
                .parse(new FetchedPage(Fixtures.page("http://example.org/", Map.of("content-type", type),
                        "<a href=x>".getBytes(StandardCharsets.UTF_8)), Fixtures.definition("{}")));
        assertThat(parsedPage.fields()).isEmpty();
        assertThat(parsedPage.links()).isEmpty();
        assertThat(parsedPage.contentType()).isEqualTo(type);
        assertThat(parsedPage.failed()).isFalse();
    }

    @Test
    void linksHaveTheirTextAndTypesIfTheCrawlWantsThem() {
        byte[] html = """
                <a href=/a rel=nofollow> The <b>first</b>
                <script>no</script> link </a><a href=/b rel='next  nofollow'><img src=i alt=image></a>
                <a href=/c></a><a href=/c rel=tag>second</a><area href=/d alt=area>""".getBytes(StandardCharsets.UTF_8);
        FetchedPage page = new FetchedPage(
                Fixtures.page("http://example.org/", Map.of("content-type", "text/html"), html),
                Fixtures.definition("{\"extract\":{\"anchors\":true}}"));
        assertThat(parsers.parse(page).links().orElseThrow())
                .extracting(link -> link.url().text(), LinkTarget::nofollow, LinkTarget::text, LinkTarget::rel)
                .containsExactly(tuple("http://example.org/a", true, "The first link", "nofollow"),
                        tuple("http://example.org/b", true, "image", "next nofollow"),
                        tuple("http://example.org/c", false, "second", "tag"),
                        tuple("http://example.org/d", false, "area", ""));
    }

    @Test
    void theMainTextIsMarkdownWithAbsoluteLinksIfTheCrawlAsksForIt() {
        byte[] html = """
                <base href=/m/><nav><a href=/>Home</a></nav><main><h1 id=top>A</h1><p>Call <a href=b.html#f><code>__f__</code></a> for
                <math alttext="x^2"><mi>x</mi></math>.</p><pre class=language-sql>SELECT 1</pre></main>"""
                .getBytes(StandardCharsets.UTF_8);
        FetchedPage page = new FetchedPage(
                Fixtures.page("http://example.org/", Map.of("content-type", "text/html"), html),
                Fixtures.definition("{\"extract\":{\"text\":false,\"markdown\":true}}"));
        assertThat(parsers.parse(page).fields()).doesNotContainKey("text").containsEntry("markdown", """
                # A

                Call [`__f__`](http://example.org/m/b.html#f) for $x^2$.

                ```sql
                SELECT 1
                ```""").containsEntry("headingIds", List.of(Map.of("heading", "A", "id", "top")));
        assertThat(parsers.parse(Fixtures.html("http://example.org/", "<p>x")).fields()).doesNotContainKey("markdown");
        FetchedPage hidden = new FetchedPage(
                Fixtures.page("http://example.org/", Map.of("content-type", "text/html"),
                        "<meta name=robots content=noindex><p>x".getBytes(StandardCharsets.UTF_8)),
                Fixtures.definition("{\"extract\":{\"markdown\":true}}"));
        assertThat(parsers.parse(hidden).fields()).doesNotContainKey("markdown");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', emptyValue = "", value = {
            "text/html|<svg><symbol><title>icon</title></symbol><title>icon</title></svg><h1>x</h1>|''",
            "text/html|<svg><g><title>icon</title></g></svg><title>page</title>|page",
            "text/html|<math><title>sum</title></math><title>page</title>|page",
            "text/html|<svg><foreignObject><title>page</title></foreignObject></svg>|page",
            "text/html|<body><p>x<title>page</title>|page",
            "application/xhtml+xml|<html xmlns='http://www.w3.org/1999/xhtml'><svg xmlns='http://www.w3.org/2000/svg'><g><title>icon</title></g></svg><title>page</title></html>|page",
            "application/xhtml+xml|<html><title>page</title></html>|page"})
    void theTitleIsOneOfHtmlAndNotOfADrawing(String type, String html, String title) {
        ParsedPage parsed = parsers.parse(new FetchedPage(Fixtures.page("http://example.org/",
                Map.of("content-type", type), html.getBytes(StandardCharsets.UTF_8)), Fixtures.definition("{}")));
        assertThat(parsed.fields().getOrDefault("title", "")).isEqualTo(title);
    }

    @Test
    @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void linksWithinLinksAreReadInLinearTime() {
        byte[] html = ("<html xmlns='http://www.w3.org/1999/xhtml'><body>" + "<a href='/x'>".repeat(30_000) + "x")
                .getBytes(StandardCharsets.UTF_8);
        FetchedPage page = new FetchedPage(
                Fixtures.page("http://example.org/", Map.of("content-type", "application/xhtml+xml"), html),
                Fixtures.definition("{\"extract\":{\"anchors\":true,\"text\":false}}"));
        assertThat(parsers.parse(page).links().orElseThrow()).hasSize(1);
    }

    @Test
    void considersALimitedNumberOfLinks() {
        StringBuilder html = new StringBuilder();
        for (int i = 0; i < 50; i++) {
            html.append("<a href=").append(i).append(">");
        }
        ParsedPage parsedPage = new Parsers(List.of(new HtmlParser(1_000_000)), 20)
                .parse(Fixtures.html("http://example.org/", html.toString()));
        assertThat(parsedPage.links().orElseThrow()).hasSize(20);
    }

    private static List<String> urls(ParsedPage parsedPage, boolean nofollow) {
        return parsedPage.links().orElseThrow().stream().filter(l -> !nofollow || l.nofollow()).map(l -> l.url().text())
                .toList();
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(n -> texts.add(n.asText()));
        return texts;
    }
}
