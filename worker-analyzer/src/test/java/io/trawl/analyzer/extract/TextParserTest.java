package io.trawl.analyzer.extract;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.parse.FetchedPage;
import io.trawl.analyzer.parse.ParsedPage;
import io.trawl.analyzer.parse.Parsers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Text of all media types that have one. */
class TextParserTest {
    private final Parsers parsers = new Parsers(List.of(new HtmlParser(100_000), new TextParser(1_000)), 100);

    private ParsedPage parse(String type, String body, String definition) {
        return parsers.parse(new FetchedPage(Fixtures.page("http://example.org/", Map.of("content-type", type),
                body.getBytes(StandardCharsets.UTF_8)), Fixtures.definition(definition)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "text/plain; charset=utf-8", "text/markdown", "text/csv", "application/json",
            "application/ld+json", "application/x-ndjson", "application/yaml", ""})
    void theTextOfATextFileIsTheFile(String type) {
        String body = "# Grüße\n{\"a\": 1}\n";
        ParsedPage page = parse(type, body, "{}");
        assertThat(page.fields()).isEqualTo(Map.of("text", body));
        assertThat(page.encoding()).contains(StandardCharsets.UTF_8);
        assertThat(page.links()).isEmpty();
    }

    @Test
    void theTextOfXmlIsThatOfItsElements() {
        assertThat(parse("application/xml",
                "<?xml version='1.0'?><a x='no'><b>one\n two</b><!-- no --><c>1 &lt; 2</c></a>", "{}").fields())
                .isEqualTo(Map.of("text", "one two\n1 < 2"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/rss+xml", "application/atom+xml", "text/xml"})
    void theTextOfAFeedIsThatOfItsEntriesWithoutMarkup(String type) {
        String rss = """
                <rss><channel><title>News</title><item><title>First</title>
                <description>&lt;p&gt;A &lt;b&gt;bold&lt;/b&gt; word&lt;/p&gt;&lt;script&gt;no&lt;/script&gt;</description>
                <content><![CDATA[<p>More</p>]]></content></item></channel></rss>""";
        String atom = "<feed xmlns='http://www.w3.org/2005/Atom'><title>News</title><entry><title>First</title>"
                + "<summary type='html'>&lt;p&gt;A bold word&lt;/p&gt;</summary><content>More</content></entry></feed>";
        for (String feed : List.of(rss, atom)) {
            assertThat(parse(type, feed, "{}").fields())
                    .isEqualTo(Map.of("title", "News", "text", "News\nFirst\nA bold word\nMore"));
        }
    }

    @Test
    void textThatTheCrawlDoesNotWantIsLeftOut() {
        assertThat(parse("text/plain", "x", "{\"extract\":{\"text\":false}}").fields()).isEmpty();
    }

    @Test
    void xmlWithTooManyNodesIsCut() {
        ParsedPage page = parse("text/xml", "<a>" + "<b>x</b>".repeat(2_000) + "</a>", "{}");
        assertThat(page.cuts()).hasToString("[NODES]");
        assertThat(page.fields()).extractingByKey("text").asString().startsWith("x\nx");
    }
}
